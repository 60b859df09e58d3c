import { layouts } from '@svc/intent-svm-liquid'
import type { SvmChain, SvmScenario } from '@svc/sandbox-svm'
import { PublicKey } from '@svc/solana'
import { scenarioOn } from '../sandbox/index.ts'
import { type PoolRecord, readPool } from '../src/chain/pool.ts'
import plugin from '../src/index.ts'

/** Where fields of a pool's account stand while no pending fee, preference or authority is in it. */
const UPDATED_EPOCH = 274
const PREFERRED_WITHDRAW = 348
const DEPOSIT_AUTHORITY = 383
export const WITHDRAW_AUTHORITY = 401

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111'

/** The chain behind a stage, to look at and to change what a caller cannot. */
export interface Behind {
  readonly svm: SvmChain
  readonly settings: Readonly<Record<'pool' | 'mint' | 'program' | 'validator', string>>
  record(): PoolRecord
  /** The account of the pool, written anew. */
  change(edit: (data: Buffer) => Buffer): void
  /** The same for a while. */
  whileChanged(edit: (data: Buffer) => Buffer, run: () => Promise<unknown>): Promise<void>
  /** Leaves so many lamports above its rent in the reserve. */
  drain(free: bigint): void
  tokens(wallet: string): bigint
  /** The stake accounts that a wallet can withdraw, as native staking looks for them. */
  stakesOf(wallet: string): Promise<readonly { readonly address: string; readonly data: Buffer }[]>
}

/** Makes the same scenario, and the chain that it was put on. @param scenario by default the pool that is known for mainnet-beta */
export function onChain(scenario = scenarioOn('mainnet-beta')): { scenario: SvmScenario; chain(): Behind } {
  let behind: Behind | undefined
  return {
    scenario: {
      ...scenario,
      async install(svm: SvmChain) {
        const installed = await scenario.install(svm)
        const settings = installed.settings as Behind['settings']
        const data = () => Buffer.from(svm.account(settings.pool)!.data)
        behind = {
          svm,
          settings,
          record: () => readPool(data()),
          change: (edit) => svm.setAccount(settings.pool, { data: edit(data()) }),
          async whileChanged(edit, run) {
            const before = data()
            svm.setAccount(settings.pool, { data: edit(data()) })
            try {
              await run()
            } finally {
              svm.setAccount(settings.pool, { data: before })
            }
          },
          drain: (free) => svm.setAccount(readPool(data()).reserve, { lamports: 2_282_880n + free }),
          tokens: (wallet) => svm.tokenBalance(wallet, settings.mint),
          async stakesOf(wallet) {
            const filters = [{ dataSize: 200 }, { memcmp: { offset: 44, bytes: wallet } }]
            type Found = readonly { readonly pubkey: string; readonly account: { readonly data: readonly [string] } }[]
            const found = await asked<Found>(svm.rpcUrl, 'getProgramAccounts', [STAKE_PROGRAM, { encoding: 'base64', filters }])
            return found.map(({ pubkey, account }) => ({ address: pubkey, data: Buffer.from(account.data[0], 'base64') }))
          },
        }
        return installed
      },
    },
    chain: () => behind!,
  }
}

/** What a craft response costs in fees: the chain takes just that. */
export function feeOf(unsigned: unknown, program: string): bigint {
  return plugin.protocol.kit.decode(
    unsigned as never,
    { signers: [], calls: [], layouts: layouts({ chainId: '', pool: program, mint: program, program, token_program: '' }) },
    {} as never,
    {},
  ).maxFee
}

/** As if the pool were last updated some epochs before. */
export function stale(epochs: bigint) {
  return (data: Buffer): Buffer => {
    data.writeBigUInt64LE(data.readBigUInt64LE(UPDATED_EPOCH) - epochs, UPDATED_EPOCH)
    return data
  }
}

export const withDepositAuthority = (key: string) => withOption(DEPOSIT_AUTHORITY, key)
export const withWithdrawAuthority = (key: string) => withOption(WITHDRAW_AUTHORITY, key)
export const withPreferredWithdraw = (key: string) => withOption(PREFERRED_WITHDRAW, key)

/** Fills in an optional address that is absent. */
function withOption(at: number, key: string) {
  return (data: Buffer): Buffer => {
    if (data[at] !== 0) throw new RangeError(`byte ${at} of the pool is no absent option`)
    const filled = Buffer.concat([data.subarray(0, at), Buffer.from([1]), new PublicKey(key).toBuffer(), data.subarray(at + 1)])
    return filled.subarray(0, data.length)
  }
}

async function asked<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result?: T; error?: unknown }
  if (result === undefined || result === null) throw new Error(`${method}: ${JSON.stringify(error ?? null)}`)
  return result
}
