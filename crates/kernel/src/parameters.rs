// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters that a controller in C declares in BTF declaration tags (`bpf/include/parameters.h`).

use serde::Serialize;
use std::fmt;
use units::{Code, Span, short};

/// The unit of parameters that users write as a time.
const SECONDS: &str = "s";
/// Most digits after the point of a shown value.
const DIGITS: usize = 12;

/// The allowed values of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Domain {
    /// A number. The variable in C is the number times `scale`, rounded.
    Number {
        /// Factor of the variable in C.
        scale: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Unit of the value; "none" for a number without unit.
        unit: String,
    },
    /// true or false.
    Flag,
    /// One of these words. The variable in C is the index of the word.
    Choice {
        /// The words.
        words: Vec<String>,
    },
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Name in Bentpipe's catalogue.
    pub name: String,
    /// Allowed values.
    #[serde(flatten)]
    pub domain: Domain,
}

/// A value that cannot be used, or an unknown name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// Code of the error.
    pub code: Code,
    /// Message with the fix.
    pub message: String,
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { min, max, unit, .. } => match unit.as_str() {
                SECONDS => {
                    write!(f, "\"{}\" to \"{}\"", Span::from_secs_f64(*min), Span::from_secs_f64(*max))
                }
                "none" => write!(f, "{} to {}", short(*min), short(*max)),
                unit => write!(f, "{} to {} {unit}", short(*min), short(*max)),
            },
            Self::Flag => f.write_str("true or false"),
            Self::Choice { words } => write!(f, "\"{}\"", words.join("\", \"")),
        }
    }
}

impl Parameter {
    /// Reads a declaration tag, for example `parameter beta 65536 0.1 0.95 none`. Returns `None` for a tag with another
    /// meaning.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let mut words = tag.split(' ');
        let (kind, name) = (words.next()?, words.next()?.to_owned());
        let domain = match kind {
            "parameter" => {
                let mut number = || words.next()?.parse().ok();
                let (scale, min, max) = (number()?, number()?, number()?);
                Domain::Number { scale, min, max, unit: words.next()?.to_owned() }
            }
            "flag" => Domain::Flag,
            "choice" => Domain::Choice { words: words.map(str::to_owned).collect() },
            _ => return None,
        };
        Some(Self { name, domain })
    }

    /// Converts the text of a user to the value of the variable in C.
    ///
    /// # Errors
    /// If the text is not an allowed value.
    pub fn variable(&self, text: &str) -> Result<u32, ParameterError> {
        let refused = || ParameterError {
            code: Code::ParameterValue,
            message: format!("`{} = {text}`: must be {}", self.name, self.domain),
        };
        match &self.domain {
            Domain::Number { scale, min, max, unit } => {
                let number = if unit == SECONDS {
                    text.trim().trim_matches('"').parse::<Span>().ok().map(Span::secs_f64)
                } else {
                    text.trim().parse::<f64>().ok()
                };
                let number = number.filter(|number| (*min..=*max).contains(number)).ok_or_else(refused)?;
                Ok((number * scale).round() as u32)
            }
            Domain::Flag => match text.trim() {
                "false" => Ok(0),
                "true" => Ok(1),
                _ => Err(refused()),
            },
            Domain::Choice { words } => {
                let text = text.trim().trim_matches('"');
                let place = words.iter().position(|word| word == text).ok_or_else(refused)?;
                Ok(place as u32)
            }
        }
    }

    /// Returns the value of the variable in C as a user writes it.
    pub fn text(&self, variable: u32) -> String {
        match &self.domain {
            Domain::Number { scale, unit, .. } => {
                let exact = f64::from(variable) / scale;
                // The shortest decimal number that has this variable: 0.7, although the variable is 0.69999...
                let number = (0..=DIGITS)
                    .filter_map(|digits| format!("{exact:.digits$}").parse::<f64>().ok())
                    .find(|number| (number * scale).round() as u32 == variable)
                    .unwrap_or(exact);
                if unit == SECONDS { Span::from_secs_f64(number).to_string() } else { short(number) }
            }
            Domain::Flag => (variable != 0).to_string(),
            Domain::Choice { words } => words.get(variable as usize).cloned().unwrap_or_default(),
        }
    }
}

/// Splits `key=value`.
///
/// # Errors
/// If the text has no equals sign or no key.
pub fn split(text: &str) -> Result<(&str, &str), ParameterError> {
    let pair = text.split_once('=').map(|(key, value)| (key.trim(), value));
    pair.filter(|(key, _)| !key.is_empty()).ok_or_else(|| ParameterError {
        code: Code::ArgumentValue,
        message: format!("--set \"{text}\": write key=value, for example --set beta=0.8"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tag: &str) -> Parameter {
        Parameter::of_tag(tag).expect("a parameter")
    }

    #[test]
    fn numbers_are_scaled_and_bounded() {
        let beta = of("parameter beta 65536 0.1 0.95 none");
        assert_eq!(beta.variable("0.5"), Ok(32_768));
        assert_eq!(beta.text(45_875), "0.7");
        let refused = beta.variable("1.5").expect_err("too large");
        assert_eq!(refused.message, "`beta = 1.5`: must be 0.1 to 0.95");
        assert_eq!(beta.variable("half").expect_err("no number").code, Code::ParameterValue);
        assert_eq!(beta.variable("nan").expect_err("no number").code, Code::ParameterValue);
    }

    #[test]
    fn times_have_units() {
        let rtt = of("parameter rtt0 1000000 0.001 10 s");
        assert_eq!(rtt.variable("25 ms"), Ok(25_000));
        assert_eq!(rtt.variable("\"2 s\""), Ok(2_000_000));
        assert_eq!(rtt.text(100_000), "100 ms");
        assert_eq!(
            rtt.variable("25").expect_err("no unit").message,
            "`rtt0 = 25`: must be \"1 ms\" to \"10 s\""
        );
    }

    #[test]
    fn flags_and_words() {
        let flag = of("flag fast_convergence");
        assert_eq!((flag.variable("true"), flag.variable("false")), (Ok(1), Ok(0)));
        assert_eq!(
            flag.variable("yes").expect_err("no flag").message,
            "`fast_convergence = yes`: must be true or false"
        );
        let choice = of("choice rho_rtt srtt min");
        assert_eq!((choice.variable("min"), choice.text(0)), (Ok(1), "srtt".to_owned()));
        assert_eq!(
            choice.variable("max").expect_err("no word").message,
            "`rho_rtt = max`: must be \"srtt\", \"min\""
        );
        assert_eq!(Parameter::of_tag("other tag"), None);
    }

    #[test]
    fn a_setting_has_a_key() {
        assert_eq!(split("beta=0.8"), Ok(("beta", "0.8")));
        assert!(split("beta").is_err());
        assert!(split("=1").is_err());
    }
}
