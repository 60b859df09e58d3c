//! Starts a chain of one validator, as `solana-test-validator` does and from the same library, and adds the stake pool program to it.
//!
//! The program is the one that its authors publish, compiled for this machine rather than for the chain's virtual machine: bank, accounts, token and stake
//! programs, transactions and JSON-RPC are the validator's own, and only compute units are not what the chain would count. A ledger with instructions of the pool
//! cannot be started anew, since a validator replays blocks before anything can be added to it.

mod program;

use std::{env, path::PathBuf, process::exit, str::FromStr, sync::Arc};

use solana_account::{Account, AccountSharedData};
use solana_core::consensus::tower_storage::FileTowerStorage;
use solana_epoch_schedule::EpochSchedule;
use solana_net_utils::SocketAddrSpace;
use solana_program_runtime::program_cache_entry::ProgramCacheEntry;
use solana_program_test::{BuiltinFunctionDefinition, ProgramTest};
use solana_pubkey::Pubkey;
use solana_rpc::rpc::JsonRpcConfig;
use solana_test_validator::{TestValidator, TestValidatorGenesis};

use program::StakePool;

const NAME: &str = "stake_pool";

fn main() {
    if env::args().any(|word| word == "--version") {
        println!("local-validator {} (stake pool 2.2.0)", env!("CARGO_PKG_VERSION"));
        return;
    }
    solana_logger::setup_with_default("solana=warn");
    let ledger: PathBuf = value("--ledger");
    let mint: Pubkey = value("--mint");
    let slots: u64 = value("--slots-per-epoch");
    let ticks: u64 = value("--ticks-per-slot");
    prepare_native_calls();

    let mut genesis = TestValidatorGenesis::default();
    genesis.max_genesis_archive_unpacked_size = Some(u64::MAX);
    genesis.max_ledger_shreds = Some(10_000_000);
    genesis
        .ledger_path(&ledger)
        .tower_storage(Arc::new(FileTowerStorage::new(ledger.clone())))
        .rpc_port(value("--rpc-port"))
        .gossip_port(value("--gossip-port"))
        .rpc_config(JsonRpcConfig {
            enable_rpc_transaction_history: true,
            enable_extended_tx_metadata_storage: true,
            ..JsonRpcConfig::default_for_test()
        })
        .ticks_per_slot(ticks)
        .epoch_schedule(EpochSchedule::custom(slots, slots, false))
        .add_account(pool::id(), program_account());
    match genesis.start_with_mint_address(mint, SocketAddrSpace::new(true)) {
        Ok(validator) => {
            add_stake_pool(&validator);
            println!("ready");
            validator.join();
        }
        Err(error) => {
            eprintln!("The validator did not start: {error}");
            exit(1);
        }
    }
}

/// Reads an argument of the command line.
fn value<T: FromStr>(name: &str) -> T {
    let mut words = env::args().skip_while(|word| word != name).skip(1);
    match words.next().map(|word| word.parse()) {
        Some(Ok(value)) => value,
        _ => {
            eprintln!("{name} must be given.");
            exit(2);
        }
    }
}

/// Sets what a native program calls in place of system calls. Only a test bank sets it, so one is started and let go.
fn prepare_native_calls() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { drop(ProgramTest::default().start().await) });
    runtime.shutdown_background();
}

/// Makes the account that a program has which is part of the validator.
fn program_account() -> AccountSharedData {
    AccountSharedData::from(Account {
        lamports: 1,
        data: NAME.as_bytes().to_vec(),
        owner: solana_sdk_ids::native_loader::id(),
        executable: true,
        rent_epoch: 0,
    })
}

/// Adds the program to every block that is being made; those that follow have it of their parents.
fn add_stake_pool(validator: &TestValidator) {
    let forks = validator.bank_forks();
    loop {
        let before = forks.read().unwrap().highest_slot();
        let banks: Vec<_> = forks.read().unwrap().banks().values().map(|bank| bank.clone_without_scheduler()).collect();
        for bank in banks {
            bank.add_builtin(pool::id(), NAME, ProgramCacheEntry::new_builtin(0, NAME.len(), StakePool::register));
        }
        // One that began meanwhile may have it of no parent.
        if forks.read().unwrap().highest_slot() == before {
            return;
        }
    }
}
