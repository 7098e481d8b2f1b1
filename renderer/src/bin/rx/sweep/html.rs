//! A sweep's results as a page for a browser: one file, nothing loaded from elsewhere.
//!
//! Owns the page. Every name and message in it comes from files and is escaped.

use std::fmt::Write as _;

use super::one::{Shader, Status};
use super::page::{Sweep, by_code, title};

/// Narrows the list of shaders to the rows that hold what is typed.
const SCRIPT: &str = "const find = document.getElementById('find');\n\
    const rows = [...document.querySelectorAll('#shaders tbody tr')];\n\
    find.addEventListener('input', () => { const want = find.value.toLowerCase();\n\
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(want); });";

/// The page.
pub fn page(sweep: &Sweep<'_>) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>rx sweep: {} shaders</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<h1>{} shaders swept by rx {}</h1>\n<p>Profile: {}</p>\n",
        sweep.totals.total(),
        include_str!("page.css"),
        sweep.totals.total(),
        env!("CARGO_PKG_VERSION"),
        escaped(sweep.profile),
    );
    tiles(sweep, &mut html);
    codes(sweep, &mut html);
    changes(sweep, &mut html);
    failures(sweep, &mut html);
    shaders(sweep, &mut html);
    let _ = write!(html, "<script>\n{SCRIPT}\n</script>\n</body>\n</html>\n");
    html
}

// Writing to a String cannot fail: the results of `write!` are dropped below.

fn tiles(sweep: &Sweep<'_>, html: &mut String) {
    html.push_str("<div class=\"tiles\">\n");
    let mut tile = |name: &str, class: &str, value: String| {
        let _ = writeln!(html, "<div class=\"tile\"><b class=\"{class}\">{value}</b>{name}</div>");
    };
    for status in Status::ALL {
        let count = sweep.totals.count(status);
        let class = if count > 0 { status.name() } else { "" };
        tile(status.name(), class, count.to_string());
    }
    tile("words", "", sweep.totals.words.to_string());
    tile("of translation", "", format!("{:.2} s", sweep.totals.microseconds as f64 / 1e6));
    html.push_str("</div>\n<div class=\"bar\">");
    for status in Status::ALL.into_iter().filter(|&status| sweep.totals.count(status) > 0) {
        let (name, count) = (status.name(), sweep.totals.count(status));
        let _ = write!(html, "<div class=\"{name}\" style=\"flex:{count}\" title=\"{count} {name}\"></div>");
    }
    html.push_str("</div>\n");
}

fn codes(sweep: &Sweep<'_>, html: &mut String) {
    let counts = by_code(sweep.shaders);
    if counts.is_empty() {
        return;
    }
    head("What is not exact", &["shaders", "status", "code", "what"], html);
    for ((status, code), count) in counts {
        let name = status.name();
        let (code, what) = (escaped(&code), escaped(title(&code)));
        let _ = writeln!(
            html,
            "<tr><td class=\"n\">{count}</td><td class=\"{name}\">{name}</td><td><code>{code}</code></td><td>{what}</td></tr>"
        );
    }
    html.push_str("</tbody></table>\n");
}

fn changes(sweep: &Sweep<'_>, html: &mut String) {
    let Some(changes) = sweep.changes else { return };
    if changes.is_empty() {
        html.push_str("<h2>Baseline</h2>\n<p>Nothing differs.</p>\n");
        return;
    }
    head(&format!("{} differ from the baseline", changes.len()), &["shader", "change"], html);
    for change in changes {
        let (file, words) = (escaped(&change.file), escaped(&change.words()));
        let _ = writeln!(html, "<tr><td><code>{file}</code></td><td>{words}</td></tr>");
    }
    html.push_str("</tbody></table>\n");
}

fn failures(sweep: &Sweep<'_>, html: &mut String) {
    let failed: Vec<&Shader> = sweep.shaders.iter().filter(|shader| shader.status == Status::Failed).collect();
    if failed.is_empty() {
        return;
    }
    head("Failed: rx's fault", &["shader", "why"], html);
    for shader in failed {
        let (file, why) = (escaped(&shader.file), escaped(&shader.why));
        let _ = writeln!(html, "<tr><td><code>{file}</code></td><td class=\"failed\">{why}</td></tr>");
    }
    html.push_str("</tbody></table>\n");
}

fn shaders(sweep: &Sweep<'_>, html: &mut String) {
    html.push_str("<h2>All shaders</h2>\n<p><input id=\"find\" placeholder=\"name, status, code\"></p>\n");
    html.push_str("<table id=\"shaders\"><thead><tr><th>shader</th><th>status</th><th>why</th>");
    html.push_str("<th class=\"n\">words</th><th class=\"n\">µs</th></tr></thead><tbody>\n");
    for shader in sweep.shaders {
        let (file, name) = (escaped(&shader.file), shader.status.name());
        let _ = writeln!(
            html,
            "<tr><td><code>{file}</code></td><td class=\"{name}\">{name}</td><td>{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td></tr>",
            why(shader),
            shader.words,
            shader.microseconds
        );
    }
    html.push_str("</tbody></table>\n");
}

/// The code and words of an error, or the codes of the notes.
fn why(shader: &Shader) -> String {
    match &shader.code {
        Some(code) => format!("<code>{}</code> {}", escaped(code), escaped(&shader.why)),
        None => {
            let notes = shader.notes.iter().map(|note| format!("<code>{}</code> &times; {}", note.code, note.count));
            notes.collect::<Vec<_>>().join(", ")
        }
    }
}

fn head(heading: &str, columns: &[&str], html: &mut String) {
    let _ = write!(html, "<h2>{}</h2>\n<table><thead><tr>", escaped(heading));
    for column in columns {
        let _ = write!(html, "<th>{column}</th>");
    }
    html.push_str("</tr></thead><tbody>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_comes_from_files_cannot_become_markup() {
        assert_eq!(super::escaped("<a b='\"&'>"), "&lt;a b=&#39;&quot;&amp;&#39;&gt;");
    }
}
