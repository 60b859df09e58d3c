//! Stands for the crates by which a program calls its chain: solana-cpi, solana-msg, solana-sysvar and solana-stake-interface.
//!
//! Compiled for anything else than the chain's virtual machine these crates do nothing: a call of another program succeeds and changes nothing, a sysvar is not
//! supported, a message goes to stdout. Here they reach the bank that is running the transaction, by what solana-program-test has for that.

use std::cell::RefCell;
use std::sync::Arc;

use solana_account_info::AccountInfo;
use solana_clock::Clock;
use solana_epoch_rewards::EpochRewards;
use solana_instruction::Instruction;
use solana_program_error::{ProgramError, ProgramResult};
use solana_program_runtime::invoke_context::InvokeContext;
use solana_rent::Rent;
use solana_sysvar::program_stubs;

// Of solana-stake-interface: everything but `tools`, which calls.
pub use solana_stake_interface::*;
// Of solana-sysvar: what reads an account's data.
pub use solana_sysvar::SysvarSerialize;

/// Sysvars of the block in which a program runs.
struct Block {
    clock: Option<Arc<Clock>>,
    rent: Option<Arc<Rent>>,
    epoch_rewards: Option<Arc<EpochRewards>>,
}

thread_local! {
    static BLOCK: RefCell<Block> = const { RefCell::new(Block { clock: None, rent: None, epoch_rewards: None }) };
}

/// Keeps the sysvars of a bank for the program that this thread is about to run.
pub fn enter(context: &InvokeContext) {
    let cache = context.environment_config.sysvar_cache();
    let block = Block {
        clock: cache.get_clock().ok(),
        rent: cache.get_rent().ok(),
        epoch_rewards: cache.get_epoch_rewards().ok(),
    };
    BLOCK.with(|kept| kept.replace(block));
}

/// Reads a sysvar of the block, as solana-sysvar's trait of this name does.
pub trait Sysvar: Sized {
    fn get() -> Result<Self, ProgramError>;
}

impl Sysvar for Clock {
    fn get() -> Result<Self, ProgramError> {
        BLOCK.with_borrow(|block| block.clock.as_deref().cloned().ok_or(ProgramError::UnsupportedSysvar))
    }
}

impl Sysvar for Rent {
    fn get() -> Result<Self, ProgramError> {
        BLOCK.with_borrow(|block| block.rent.as_deref().cloned().ok_or(ProgramError::UnsupportedSysvar))
    }
}

impl Sysvar for EpochRewards {
    fn get() -> Result<Self, ProgramError> {
        BLOCK.with_borrow(|block| block.epoch_rewards.as_deref().cloned().ok_or(ProgramError::UnsupportedSysvar))
    }
}

/// Calls another program.
pub fn invoke(instruction: &Instruction, accounts: &[AccountInfo]) -> ProgramResult {
    invoke_signed(instruction, accounts, &[])
}

/// Calls another program, and signs for addresses of the caller.
pub fn invoke_signed(instruction: &Instruction, accounts: &[AccountInfo], seeds: &[&[&[u8]]]) -> ProgramResult {
    program_stubs::sol_invoke_signed(instruction, accounts, seeds)
}

/// Writes a line into the log of the transaction.
pub fn sol_log(line: &str) {
    program_stubs::sol_log(line);
}

/// Writes a line into the log of the transaction, as solana-msg's macro of this name does.
#[macro_export]
macro_rules! msg {
    ($line:expr) => {
        $crate::sol_log($line)
    };
    ($($part:tt)*) => {
        $crate::sol_log(&format!($($part)*))
    };
}

/// Stands for the module of this name of solana-stake-interface.
pub mod tools {
    use solana_program_error::ProgramError;
    use solana_stake_interface::{instruction, program};
    use solana_sysvar::program_stubs;

    /// Asks the stake program for the least that a stake may have, in lamports.
    pub fn get_minimum_delegation() -> Result<u64, ProgramError> {
        super::invoke(&instruction::get_minimum_delegation(), &[])?;
        match program_stubs::sol_get_return_data() {
            Some((from, data)) if from == program::id() => {
                let bytes: [u8; 8] = data.try_into().map_err(|_| ProgramError::InvalidInstructionData)?;
                Ok(u64::from_le_bytes(bytes))
            }
            Some(_) => Err(ProgramError::IncorrectProgramId),
            None => Err(ProgramError::InvalidInstructionData),
        }
    }
}
