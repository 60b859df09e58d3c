//! Compiles the files of spl-stake-pool once more, unchanged, with `native` in the place of the crates by which a program calls its chain.

// At the root of a crate these names are found by every file of it.
extern crate native as solana_cpi;
extern crate native as solana_msg;
extern crate native as solana_stake_interface;
extern crate native as solana_sysvar;

include!(concat!(env!("OUT_DIR"), "/stake_pool.rs"));
