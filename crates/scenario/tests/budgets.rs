// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets: reading, writing, and the message for each fault.

use bentpipe_scenario::{BudgetSheet, NetworkChoice, Scenario, WireService};
use units::Code;

/// A valid file. Line 4 is the hop.
const SOUND: &str = r#"[budget]
bandwidth = "36 MHz"

[budget.down]
frequency = "19.7 GHz"
eirp = "60 dBW"
g_over_t = "17 dB/K"
satellite = "9 deg"
latitude = "50.1 deg"
longitude = "8.7 deg"
rain = { rate_001 = "28 mm/h", height = "3 km" }
"#;

#[track_caller]
fn says(old: &str, new: &str, code: Code, message: &str) {
    assert!(SOUND.contains(old), "{old}");
    match BudgetSheet::from_toml(&SOUND.replacen(old, new, 1), "b.toml") {
        Ok(sheet) => panic!("{sheet:?} was accepted, instead of: {message}"),
        Err(error) => assert_eq!((error.to_string().as_str(), error.code()), (message, code)),
    }
}

/// KA-SAT at 9° East from Frankfurt: for a satellite in the south and a latitude of 50.1°, the elevation is 32.6°
/// (Maral, Bousquet and Sun, chapter 2: tan E = (cos φ - 0.15127) / sin φ), and the distance is 38,380 km.
#[test]
fn a_file_is_read() {
    let sheet = BudgetSheet::from_toml(SOUND, "b.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sheet.availability, [99.0, 99.9, 99.99]);
    let down = &sheet.budget.down;
    assert!((down.elevation_deg - 32.6).abs() < 0.1, "{}", down.elevation_deg);
    assert!((down.range_km - 38_380.0).abs() < 30.0, "{}", down.range_km);
    // 30 Msymbol/s in 36 MHz with a roll-off of 0.2.
    assert!((sheet.budget.symbols_per_s() - 30e6).abs() < 1e-6);
}

#[test]
fn what_is_wrong_is_said() {
    says(
        "19.7 GHz",
        "71 GHz",
        Code::ScenarioValue,
        "b.toml:5: budget.down.frequency: \"71 GHz\" is too large: it must be within 1 GHz and 55 GHz",
    );
    says(
        "satellite = \"9 deg\"\nlatitude = \"50.1 deg\"\nlongitude = \"8.7 deg\"\n",
        "elevation = \"4 deg\"\n",
        Code::ScenarioValue,
        "b.toml:8: budget.down.elevation: \"4 deg\" is too small: it must be within 5 deg and 90 deg",
    );
    // 72.3° apart: cos γ = cos 50.1° cos 72.3° = 0.195, distance 41,396 km, sin E = (42,164 · 0.195 - 6378) / 41,396 =
    // 0.0446.
    says(
        "satellite = \"9 deg\"",
        "satellite = \"81 deg\"",
        Code::ScenarioValue,
        "b.toml:8: budget.down.satellite: the satellite at 81 deg is 2.6 deg above the horizon of the station at 50.1 \
         deg, 8.7 deg: the elevation must be at least 5 deg, the limit of the recommendations on rain (choose another \
         satellite, or another station)",
    );
    says(
        "eirp = \"60 dBW\"",
        "eirp = 60",
        Code::ScenarioWrongType,
        "b.toml:6: budget.down.eirp: 60 has no unit: the value must be a power with its unit (write eirp = \"60 dBW\")",
    );
    says(
        "satellite = \"9 deg\"\n",
        "",
        Code::ScenarioMissingKey,
        "b.toml:4: budget.down.elevation: the position of the satellite is missing (write elevation = \"35 deg\", or \
         satellite = \"9 deg\" with latitude and longitude of the station)",
    );
    says(
        "longitude = \"8.7 deg\"",
        "elevation = \"30 deg\"",
        Code::ScenarioValue,
        "b.toml:10: budget.down.elevation: `satellite` and the station's place already determine the elevation (keep \
         one of them)",
    );
    says(
        "longitude = \"8.7 deg\"\n",
        "",
        Code::ScenarioMissingKey,
        "b.toml:4: budget.down.longitude: the direction of a geostationary satellite depends on the station's \
         longitude (write longitude = \"8.7 deg\")",
    );
    says(
        "satellite = \"9 deg\"\nlatitude = \"50.1 deg\"\nlongitude = \"8.7 deg\"\n",
        "elevation = \"30 deg\"\n",
        Code::ScenarioMissingKey,
        "b.toml:4: budget.down.latitude: the attenuation by rain depends on the latitude of the station, but \
         `latitude` is missing (write latitude = \"50.1 deg\")",
    );
    says(
        "height = \"3 km\" }",
        "height = \"0 km\", start = \"6 dB\" }",
        Code::ScenarioValue,
        "b.toml:11: budget.down.rain.start: with these values, the rain causes no attenuation, so the run cannot start in rain: \
         rate_001 is 28 mm/h, and the rain height is 0 km above the station (raise these values, or remove `start`)",
    );
}

const LINK: &str = r#"
[network.dumbbell]
rtt = "560 ms"
queue = "500 packets"
budget = { bandwidth = "36 MHz", down = { frequency = "19.7 GHz", eirp = "60 dBW", g_over_t = "17 dB/K", elevation = "32 deg", latitude = "50.1 deg", rain = { rate_001 = "28 mm/h", height = "3 km", start = "6 dB", cell = "Frankfurt" } } }
reverse = { rate = "5 Mbit/s" }
[[flows]]
controller = "cubic"
"#;

/// The printed text contains all defaults, and reading it gives the same budget.
#[test]
fn a_link_with_a_budget_is_written_and_read_again() {
    let read = |text: &str| Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let scenario = read(LINK);
    let text = scenario.to_toml("");
    for line in ["reaction = \"600 ms\"", "modcods = \"dvb-s2x\"", "vapour = \"7.5 g/m3\"", "roll_off = 0.2"]
    {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    assert_eq!(read(&text), scenario);
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    assert!(matches!(forward.service, WireService::Budget(_)));
    assert_eq!(reverse.service, WireService::Constant);
}

#[test]
fn one_rain_begins_in_one_way() {
    let back = "reverse = { budget = { bandwidth = \"1 MHz\", down = { frequency = \"29 GHz\", eirp = \"40 dBW\", g_over_t \
    = \"17 dB/K\", \
                elevation = \"32 deg\", latitude = \"50.1 deg\", rain = { rate_001 = \"28 mm/h\", height = \"3 km\", start \
                = \"6 dB\", \
                cell = \"Frankfurt\" } } } }";
    let text = LINK.replace("reverse = { rate = \"5 Mbit/s\" }", back);
    let error = Scenario::from_toml(&text, "a.toml").expect_err("6 dB at 19.7 GHz are more at 29 GHz");
    assert_eq!(
        error.to_string(),
        "a.toml:2: network: two hops in the rain cell \"Frankfurt\" have the key `start`, but both hops have \
         the same rain, so one `start` determines the attenuation of both (remove `start` from one of the hops)"
    );
    let error = Scenario::from_toml(&LINK.replace("budget = {", "rate = \"9 Mbit/s\"\nbudget = {"), "a.toml")
        .expect_err("there is a rate already");
    assert_eq!(
        error.to_string(),
        "a.toml:6: network.dumbbell.budget: `rate` and `budget` contradict each other (keep one of them)"
    );
}

/// Returns the rain cells of a star's branches: those of their budgets, and those of their budgets towards the hub.
fn cells(count: &str, rain: &str) -> Vec<Vec<String>> {
    let hop = |site: &str, rain: &str| {
        format!(
            "{site} = {{ frequency = \"19.7 GHz\", eirp = \"50 dBW\", g_over_t = \"16 dB/K\", elevation = \"35 deg\", \
             latitude = \"50 deg\", rain = {{ rate_001 = \"60 mm/h\", height = \"3 km\"{rain} }} }}"
        )
    };
    let budget = |up: &str, down: &str| {
        format!("budget = {{ bandwidth = \"240 kHz\", {}, {} }}", hop("up", up), hop("down", down))
    };
    let text = format!(
        "[network.star]\n\
         carriers = [{{ name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }}]\n\
         branches = [{{ site = \"user\", {count}delay = \"125 ms\", {}, \
         dama = {{ carrier = \"up\", vbdc = \"unlimited\", {} }} }}]\n\
         [[flows]]\ncontroller = \"cubic\"\nfrom = \"hub\"\nto = \"user*\"\n",
        budget("", rain),
        budget(rain, "")
    );
    let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let again =
        Scenario::from_toml(&scenario.to_toml(""), "b.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.network, scenario.network);
    assert_eq!(again.rain_note(), scenario.rain_note());
    assert_eq!(scenario.rain_note().is_some(), !count.is_empty() && rain.is_empty());
    let NetworkChoice::Star { branches, carriers, .. } = &scenario.network else { panic!() };
    let of = |service: &WireService| match service {
        WireService::Budget(budget) => {
            let hops = budget.radio.hops();
            hops.filter_map(|(_, hop)| hop.rain.as_ref()).map(|rain| rain.cell.clone()).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    };
    let each = branches.iter().enumerate();
    each.map(|(at, (_, wire))| [of(&wire.service), carriers.pace(at).map(of).unwrap_or_default()].concat())
        .collect()
}

/// Equal branches share the rain at the hub. Each has its own rain at its site, in both directions.
#[test]
fn equal_branches_have_their_own_rain() {
    let at = "network.star.branches[0]";
    let hub = [format!("{at}.budget.up"), format!("{at}.dama.budget.down")];
    let user = [format!("{at}.budget.down"), format!("{at}.dama.budget.up")];
    let [there, back] = &user;
    assert_eq!(cells("", ""), [[hub[0].as_str(), there, back, &hub[1]]]);
    let expected = ["user 1", "user 2", "user 3"].map(|site| {
        let own = format!("{at} of {site}");
        [hub[0].clone(), own.clone(), own, hub[1].clone()]
    });
    assert_eq!(cells("count = 3, ", ""), expected);
    let named = [hub[0].as_str(), "valley", "valley", &hub[1]];
    assert_eq!(cells("count = 3, ", ", cell = \"valley\""), [named, named, named]);
}
