//! The stake pool program as a part of the validator.

use pool::{error::StakePoolError, processor::Processor};
use solana_account_info::AccountInfo;
use solana_program_error::ProgramResult;
use solana_program_test::{
    invoke_builtin_function, BuiltinFunctionDefinition, EbpfError, EncryptedHostAddressToEbpfVm, InvokeContext,
};
use solana_pubkey::Pubkey;

/// What the bank calls for an instruction of the pool.
pub struct StakePool;

impl BuiltinFunctionDefinition<InvokeContext<'_, '_>> for StakePool {
    type Error = Box<dyn std::error::Error>;

    fn rust(_: &mut InvokeContext<'_, '_>, _: u64, _: u64, _: u64, _: u64, _: u64) -> Result<u64, Self::Error> {
        unreachable!("the bank calls vm")
    }

    fn vm(mut vm: EncryptedHostAddressToEbpfVm<InvokeContext>, _: u64, _: u64, _: u64, _: u64, _: u64) {
        // SAFETY: the bank hands out its only machine for the time of the call.
        unsafe {
            vm.with_vm(|vm| {
                native::enter(vm.context());
                vm.program_result = invoke_builtin_function(process, vm.context())
                    .map_err(EbpfError::SyscallError)
                    .into();
            });
        }
    }
}

/// Processes an instruction as the entrypoint of the program does, which is compiled for the chain alone: an error is written into the log.
fn process(program: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    Processor::process(program, accounts, data).inspect_err(|error| native::sol_log(error.to_str::<StakePoolError>()))
}
