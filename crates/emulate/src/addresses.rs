// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses and names of sites.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Prefix length of the IPv4 network of all sites.
pub const V4_PREFIX: u8 = 16;
/// Prefix length of the IPv6 network of all sites.
pub const V6_PREFIX: u8 = 64;

/// The addresses of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// The IPv4 address, in 10.77.0.0/16 (RFC 1918).
    pub v4: Ipv4Addr,
    /// The IPv6 address, in fd77::/64 (RFC 4193).
    pub v6: Ipv6Addr,
}

impl Addresses {
    /// Returns both addresses.
    pub fn all(self) -> [IpAddr; 2] {
        [self.v4.into(), self.v6.into()]
    }
}

/// Returns the addresses of a site. `number` is the index of the site, from 0 to 65,533.
pub fn addresses_of(number: usize) -> Addresses {
    let host = u16::try_from(number + 1).unwrap_or(u16::MAX - 1);
    let [high, low] = host.to_be_bytes();
    Addresses { v4: Ipv4Addr::new(10, 77, high, low), v6: Ipv6Addr::new(0xfd77, 0, 0, 0, 0, 0, 0, host) }
}

/// Returns the name of a site in the form that a resolver accepts (RFC 1123, section 2.1): letters, digits and hyphens,
/// in lower case.
pub fn host_name(site: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    site.chars().map(plain).collect::<String>().trim_matches('-').to_owned()
}

/// Additional names of the first two sites, if no site of the scenario has such a name. The terminal receives the data
/// of the scenario's first flow, and the server sends these data.
const ROLES: [&str; 2] = ["terminal", "server"];

/// Returns, for each site, the names that resolve to its addresses. The first one is the name of the site itself.
pub fn names_of(sites: &[String]) -> Vec<Vec<String>> {
    let own: Vec<String> = sites.iter().map(|site| host_name(site)).collect();
    let named = own.iter().enumerate().map(|(number, name)| {
        let role = ROLES.get(number).filter(|role| !own.iter().any(|name| name == *role));
        [name.clone()].into_iter().chain(role.map(|role| (*role).to_owned())).collect()
    });
    named.collect()
}

/// Returns the hosts file, which is the same at every site (hosts(5)).
pub fn hosts_file(sites: &[String]) -> String {
    let mut text = "127.0.0.1 localhost\n::1 localhost\n".to_owned();
    for (number, names) in names_of(sites).iter().enumerate() {
        let names = names.join(" ");
        for address in addresses_of(number).all() {
            let _ = writeln!(text, "{address} {names}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_have_addresses_and_names() {
        let file = hosts_file(&["New York (PoP)".to_owned(), "server".to_owned(), "b".to_owned()]);
        assert_eq!(
            file,
            "127.0.0.1 localhost\n::1 localhost\n\
            10.77.0.1 new-york--pop terminal\nfd77::1 new-york--pop terminal\n\
            10.77.0.2 server\nfd77::2 server\n\
            10.77.0.3 b\nfd77::3 b\n"
        );
        assert_eq!(addresses_of(255).v4, Ipv4Addr::new(10, 77, 1, 0));
    }
}
