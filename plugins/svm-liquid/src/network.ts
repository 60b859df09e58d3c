import { type Context, type NetworkBase, protocol, SettingsError } from '@svc/contract'
import { SvmAddress, type SvmClient, type SvmSettings, svm } from '@svc/kit-svm'
import { type Static, type TObject, Type } from 'typebox'
import { CLUSTER_ADDRESSES } from './addresses.ts'

const address = (description: string) => Type.Unsafe<string>({ ...SvmAddress, description })

/** Settings particular to a stake pool. What is optional and has no default is known for mainnet-beta, or may be left out. */
const settings = {
  pool: Type.Optional(address('The stake pool.')),
  mint: Type.Optional(address('The mint of its token.')),
  program: Type.Optional(address('The stake pool program. Known for mainnet-beta, testnet and devnet.')),
  /** @see https://www.solana-program.com/docs/token (read 2026-11-21) */
  token_program: Type.Unsafe<string>({
    ...SvmAddress,
    default: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    description: "The token program of the pool's token.",
  }),
  validator: Type.Optional(
    address(
      'Vote account that deposits are directed to, by a memo that the pool reads outside the chain. Without it there is no such memo.',
    ),
  ),
  referral_code: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$', description: "The operator's referral code, noted in the memo of every deposit." }),
  ),
  pushes: Type.Boolean({
    default: true,
    description:
      "Whether a node is asked to push what happens to accounts of the pool's token, some 560 bytes for each change of anybody's. Without it a change of power over a wallet's tokens is found within a day.",
  }),
  referral_account: Type.Optional(
    address("Token account of the pool's token that receives the pool's referral fee. Without it the depositor does."),
  ),
}

export const { defineAction, definePlugin } = protocol(svm, settings)

type Settings = Static<TObject<typeof settings>>
export type LiquidNetwork = NetworkBase & SvmSettings & Settings
export type LiquidContext = Context<SvmClient, SvmSettings & Settings>

/** Statements of the operator on the pool, with what is known for the cluster. */
export interface Pool {
  readonly pool: string
  readonly mint: string
  readonly program: string
  readonly tokenProgram: string
}

/** Completes the addresses of the settings by those known for the cluster. @throws SettingsError when a cluster lacks an address that is not known for it */
export function poolOf(network: LiquidNetwork): Pool {
  const cluster = CLUSTER_ADDRESSES[network.chainId]
  // The token that is known is that of the pool that is known.
  const ours = network.pool === undefined || network.pool === cluster?.pool
  const pool = network.pool ?? cluster?.pool
  const mint = network.mint ?? (ours ? cluster?.mint : undefined)
  const program = network.program ?? cluster?.program
  if (pool !== undefined && mint !== undefined && program !== undefined) return { pool, mint, program, tokenProgram: network.token_program }
  const missing = Object.entries({ pool, mint, program }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  throw new SettingsError(`network ${network.chainId}: its settings have to name ${missing.join(', ')}.`)
}
