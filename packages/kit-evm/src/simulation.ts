import type { JsonRpcFault } from '@svc/contract/rpc'

/**
 * Ends of a run other than a revert, in the words of node software: geth's, those of revm (anvil, reth) and of evmone (Monad).
 *
 * @see https://github.com/ethereum/go-ethereum/blob/v1.17.0/core/vm/errors.go (read 2026-11-24)
 * @see https://github.com/bluealloy/revm (`InstructionResult`, which anvil prints after `EVM error`; read 2026-11-24)
 * @see https://github.com/ethereum/evmc (`evmc_status_code`; read 2026-11-24)
 */
const ENDS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:evm error )?(?:contract creation code storage )?out ?of ?gas\b|^evm error (?:memory|memorylimit|invalidoperand|precompile)oog|^gas required exceeds allowance|gas uint64 overflow/i,
    'it runs out of gas',
  ],
  [
    /^(?:evm error )?(?:invalid ?(?:fe)?opcode|opcode ?not ?found|undefined instruction|invalid instruction)/i,
    'it meets an invalid instruction',
  ],
  [/^(?:evm error )?(?:invalid ?jump|bad jump destination)/i, 'it jumps to where no instruction is'],
  [/^(?:evm error )?stack ?(?:underflow|overflow|limit reached)/i, 'its stack runs over or empty'],
  [
    /^(?:evm error )?(?:write protection|static ?mode violation|state ?change ?during ?static ?call|call ?not ?allowed ?inside ?static)/i,
    'it writes where it may only read',
  ],
  [/^(?:evm error )?(?:max call depth exceeded|call ?(?:too ?deep|depth exceeded))/i, 'its calls are nested too deep'],
  [/^(?:evm error )?(?:return data out of bounds|out ?of ?offset|invalid memory access)/i, 'it reads beyond what there is'],
  [/^(?:evm error )?(?:precompile ?(?:failure|error))/i, 'a contract of the chain fails'],
]

/** Describes the end of a run that did not revert, as a clause; null for other words. @example it runs out of gas */
export function endOf(message: string): string | null {
  const words = message.replace(/^(?:out of gas: )/i, '').replace(/^(?:err|failed with \d+ gas): /i, '')
  return ENDS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/** Tells whether a call ran to its end in the virtual machine: by a revert, recognised by its code or its data, or by any other end. */
export function ran({ code, data, message }: JsonRpcFault): boolean {
  return code === 3 || (typeof data === 'string' && /^0x/.test(data)) || endOf(String(message ?? '')) !== null
}

/** Tells whether the chain refused a simulation, rather than the node failing to run it. A code alone proves that for a revert only. */
export function isSimulationVerdict(fault: JsonRpcFault): boolean {
  return ran(fault) || /revert|insufficient|out ?of ?gas|gas required|intrinsic gas|reserve balance/i.test(String(fault.message ?? ''))
}
