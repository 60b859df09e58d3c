//! Finds the files of spl-stake-pool where Cargo has them, and writes a root for them.

use std::{env, fs, path::Path, process::Command};

const PACKAGE: &str = "spl-stake-pool-2.2.0";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let sources = Path::new(&folder()).join("src");
    let root = fs::read_to_string(sources.join("lib.rs")).expect("the root of the crate");
    // What stands at the beginning of a crate may not stand in the middle of one.
    let lines = root.lines().filter(|line| !line.starts_with("#![") && !line.starts_with("//!"));
    let written: Vec<_> = lines.map(|line| located(line, &sources)).collect();
    let target = Path::new(&env::var("OUT_DIR").expect("OUT_DIR")).join("stake_pool.rs");
    fs::write(target, written.join("\n")).expect("the new root");
}

/// Says of a module in which file it is.
fn located(line: &str, sources: &Path) -> String {
    match line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
        Some(name) => format!("#[path = {:?}]\n{line}", sources.join(format!("{name}.rs"))),
        None => line.to_owned(),
    }
}

/// Asks Cargo for the package's folder. Nothing is fetched: Cargo has it, since this package depends on it.
fn folder() -> String {
    let cargo = env::var("CARGO").expect("CARGO");
    let target = env::var("TARGET").expect("TARGET");
    let words = ["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", &target];
    let output = Command::new(cargo).args(words).output().expect("cargo metadata");
    let text = String::from_utf8(output.stdout).expect("text");
    let manifest = text
        .split("\"manifest_path\":\"")
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.ends_with(&format!("{PACKAGE}/Cargo.toml")));
    match manifest.and_then(|path| path.strip_suffix("/Cargo.toml")) {
        Some(folder) => folder.to_owned(),
        None => panic!("Cargo does not know {PACKAGE}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}
