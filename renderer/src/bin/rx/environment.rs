//! The environment, read once by `main` into a value that everything else takes.
//!
//! Owns the names outside `RX_VK_*` that the command looks at. Nothing else in the command reads the environment.

use rx_renderer::vendor_fixes::{self, Config, Warning};

/// What the environment says.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The switches.
    pub switches: Config,
    /// Switches that were not understood.
    pub warnings: Vec<Warning>,
    /// Every variable named `RX_VK_*` that is not empty, as it is.
    pub given: Vec<(String, String)>,
    /// `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// `TERM=dumb`: a terminal that takes no escape codes.
    pub dumb_terminal: bool,
    /// `COLUMNS`: the width to write for.
    pub columns: Option<u16>,
    /// `RX_LOG`, else `RUST_LOG`: a filter for the log.
    pub log: Option<String>,
}

impl Environment {
    /// Reads the process's environment. Only `main` calls this.
    pub fn read() -> Environment {
        let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Environment::from_vars(std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value))))
    }

    /// The same of any pairs of name and value. Empty values count as unset.
    pub fn from_vars(vars: impl IntoIterator<Item = (String, String)>) -> Environment {
        let vars: Vec<(String, String)> = vars.into_iter().collect();
        let (switches, warnings) = vendor_fixes::read(vars.iter().map(|(name, value)| (name, value)));
        let get = |name: &str| {
            vars.iter().find(|(own, value)| own == name && !value.is_empty()).map(|(_, value)| value.as_str())
        };
        let given = vars.iter().filter(|(name, value)| name.starts_with("RX_VK_") && !value.is_empty());
        Environment {
            switches,
            warnings,
            given: given.cloned().collect(),
            no_color: get("NO_COLOR").is_some(),
            dumb_terminal: get("TERM") == Some("dumb"),
            columns: get("COLUMNS").and_then(|value| value.parse().ok()).filter(|&columns| columns > 0),
            log: get("RX_LOG").or(get("RUST_LOG")).map(str::to_owned),
        }
    }

    /// What a switch is set to.
    pub fn switch(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_values_count_as_unset() {
        let read = |vars: &[(&str, &str)]| {
            Environment::from_vars(vars.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())))
        };
        assert!(!read(&[("NO_COLOR", "")]).no_color);
        assert!(read(&[("NO_COLOR", "0")]).no_color);
        assert_eq!(read(&[("COLUMNS", "0")]).columns, None);
        assert_eq!(read(&[("COLUMNS", "132")]).columns, Some(132));
        assert_eq!(read(&[("RX_LOG", ""), ("RUST_LOG", "info")]).log.as_deref(), Some("info"));
        let strange = read(&[("RX_VK_BUGDET", "exact")]);
        assert_eq!(strange.warnings.len(), 1);
    }
}
