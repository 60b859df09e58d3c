import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Client,
  isSettled,
  type SignedTransaction,
  type TransactionStatus,
  UnavailableError,
  type VerifiedTransaction,
} from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { svmLiquid } from '@svc/intent-svm-liquid'
import { svmNative } from '@svc/intent-svm-native'
import type { SvmKey } from '@svc/testing/svm-message'
import type { Stage } from '../node.ts'
import { until } from '../programs.ts'
import type { Report } from '../report.ts'
import type { Service } from '../service.ts'
import { PROGRAM } from './program.ts'
import { startValidator, type Validator } from './validator.ts'

const PROTOCOLS = { native: svmNative, liquid: svmLiquid } as const
/** The plugin whose routes a transaction goes through. */
export type Protocol = keyof typeof PROTOCOLS

/** A validator, and the service on it. */
export interface SvmStage {
  readonly validator: Validator
  readonly service: Service
  readonly native: Client<typeof PROTOCOLS>['native']
  readonly liquid: Client<typeof PROTOCOLS>['liquid']
  /** Signs with a wallet. */
  sign(tx: VerifiedTransaction, wallet: SvmKey): Promise<SignedTransaction>
  /** Signs, sends, and waits for the end. @returns every state that it was told in */
  carryOut(tx: VerifiedTransaction, wallet: SvmKey, name?: Protocol): Promise<readonly TransactionStatus[]>
  /** Waits until a transaction has ended, or stands as is wanted. */
  seen(txHash: string, wanted?: (status: TransactionStatus) => boolean, name?: Protocol): Promise<TransactionStatus>
  /** Compares fee and balances of a transaction that has landed with what the node has of it. */
  exact(report: Report, what: string, status: TransactionStatus | undefined, wallet: SvmKey): Promise<void>
}

const CHAIN = 'devnet'
/** Seconds for a transaction to its end, which is 32 slots: many, since a slot lasts ten times as long on a machine that is busy. */
const PATIENCE = 300
/** Seconds that the chain's clock may lie back: it goes by slots, and these last longer on a machine that is busy. */
const BLOCK_AGE = 3_600
/** Times that something is tried while rewards are paid, and milliseconds between. */
const TRIES = 20
const WAIT_MS = 500

/**
 * Starts a validator and the service on it.
 *
 * @param name of its folder
 * @param options.liquid makes a stake pool, and returns the settings of its network besides
 */
export async function startSvmStage(
  stage: Stage,
  name: string,
  options: { readonly slotsPerEpoch?: number; readonly liquid?: (validator: Validator) => Promise<Readonly<Record<string, unknown>>> } = {},
): Promise<SvmStage> {
  const folder = join(stage.folder, name)
  await mkdir(folder, { recursive: true })
  const validator = await startValidator(stage.programs, join(stage.built, PROGRAM), folder, options.slotsPerEpoch)
  const genesis = String(await validator.rpc('getGenesisHash'))
  const network = { name: 'Local validator', endpoints: { rpc: [validator.url] }, genesis_hash: genesis, max_block_age: BLOCK_AGE }
  const pool = await options.liquid?.(validator)
  const service = await stage.service({
    plugins: {
      '@svc/plugin-svm-native': { networks: { [CHAIN]: { ...network, validator: validator.vote } } },
      ...(pool ? { '@svc/plugin-svm-liquid': { networks: { [CHAIN]: { ...network, ...pool } } } } : {}),
    },
  })
  const { native } = service.client({ native: svmNative })
  const liquid = pool ? service.client(PROTOCOLS).liquid : null
  const ofPool = () => {
    if (liquid === null) throw new Error('This service has no stake pool.')
    return liquid
  }
  const by = (protocol: Protocol) => (protocol === 'native' ? native : ofPool())
  const sign: SvmStage['sign'] = (tx, wallet) => tx.sign(rawSigner({ sign: async (payload) => wallet.sign(payload) }))
  return {
    validator,
    service,
    native,
    get liquid() {
      return ofPool()
    },
    sign,
    async carryOut(tx, wallet, name = 'native') {
      const signed = await sign(tx, wallet)
      const protocol = by(name)
      const { txHash } = await patiently(() => protocol.send(signed))
      const states: TransactionStatus[] = []
      await protocol.settled(txHash, { signal: AbortSignal.timeout(PATIENCE * 1_000), onStatus: (status) => states.push(status) })
      return states
    },
    async seen(txHash, wanted = isSettled, name = 'native') {
      let last: unknown
      try {
        return await until(`the status of ${txHash}`, PATIENCE, async () => {
          const status = await by(name).status(txHash)
          last = status
          return wanted(status) ? status : null
        })
      } catch (cause) {
        const text = JSON.stringify(last, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        throw new Error(`the status that was waited for did not come; the last one was ${text}`, { cause })
      }
    },
    async exact(report, what, status, wallet) {
      report.equal(`${what} is final`, `${status?.status} ${status?.certainty}`, 'final proven')
      if (!status) return
      const options = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
      const receipt = (await validator.rpc('getTransaction', [status.txHash, options])) as Landed
      const place = receipt.transaction.message.accountKeys.indexOf(wallet.address)
      const [before, after] = [BigInt(receipt.meta.preBalances[place] ?? 0), BigInt(receipt.meta.postBalances[place] ?? 0)]
      const sum = (kind: string) =>
        (status.moves ?? [])
          .filter((move) => move.kind === kind && move.asset === 'native')
          .reduce((total, { amount }) => total + (amount ?? 0n), 0n)
      report.equal(`the fee of ${what} is the node's, to the lamport`, status.fee?.units, BigInt(receipt.meta.fee))
      const moved = sum('arrives') - sum('leaves') - BigInt(receipt.meta.fee)
      report.equal(`what ${what} moved is what the node's books say, to the lamport`, moved, after - before)
      report.equal(`the slot of ${what} is the node's`, status.block?.height, receipt.slot)
    },
  }
}

/** Repeats what is refused because rewards are being paid: in the first blocks of an epoch no stake account can be changed, and here an epoch is ten seconds. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof UnavailableError && error.code === 'EPOCH_REWARDS') || tries === TRIES) throw error
      await wait(WAIT_MS)
    }
  }
}

interface Landed {
  readonly slot: number
  readonly meta: { readonly fee: number; readonly preBalances: readonly number[]; readonly postBalances: readonly number[] }
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } }
}
