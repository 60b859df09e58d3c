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
import { svmNative } from '@svc/intent-svm-native'
import type { SvmKey } from '@svc/testing/svm-message'
import type { Stage } from '../node.ts'
import { until } from '../programs.ts'
import type { Report } from '../report.ts'
import type { Service } from '../service.ts'
import { PROGRAM } from './program.ts'
import { startValidator, type Validator } from './validator.ts'

/** A validator, and the service on it. */
export interface SvmStage {
  readonly validator: Validator
  readonly service: Service
  readonly native: Client<{ readonly native: typeof svmNative }>['native']
  /** Signs with a wallet. */
  sign(tx: VerifiedTransaction, wallet: SvmKey): Promise<SignedTransaction>
  /** Signs, sends, and waits for the end. @returns every state that it was told in */
  carryOut(tx: VerifiedTransaction, wallet: SvmKey): Promise<readonly TransactionStatus[]>
  /** Waits until a transaction has ended, or stands as is wanted. */
  seen(txHash: string, wanted?: (status: TransactionStatus) => boolean): Promise<TransactionStatus>
  /** Compares fee and balances of a transaction that has landed with what the node has of it. */
  exact(report: Report, what: string, status: TransactionStatus | undefined, wallet: SvmKey): Promise<void>
}

const CHAIN = 'devnet'
/** Seconds for a transaction to its end: 32 slots, or 150 for one that expires. */
const PATIENCE = 90
/** Times that something is tried while rewards are paid, and milliseconds between. */
const TRIES = 20
const WAIT_MS = 500

/** Starts a validator and the service on it. */
export async function startSvmStage(stage: Stage): Promise<SvmStage> {
  const folder = join(stage.folder, 'solana')
  await mkdir(folder, { recursive: true })
  const validator = await startValidator(stage.programs, join(stage.built, PROGRAM), folder)
  const genesis = String(await validator.rpc('getGenesisHash'))
  const network = { name: 'Test validator', endpoints: { rpc: [validator.url] }, genesis_hash: genesis, validator: validator.vote }
  const service = await stage.service({ plugins: { '@svc/plugin-svm-native': { networks: { [CHAIN]: network } } } })
  const { native } = service.client({ native: svmNative })
  const sign: SvmStage['sign'] = (tx, wallet) => tx.sign(rawSigner({ sign: async (payload) => wallet.sign(payload) }))
  return {
    validator,
    service,
    native,
    sign,
    async carryOut(tx, wallet) {
      const signed = await sign(tx, wallet)
      const { txHash } = await patiently(() => native.send(signed))
      const states: TransactionStatus[] = []
      await native.settled(txHash, { signal: AbortSignal.timeout(PATIENCE * 1_000), onStatus: (status) => states.push(status) })
      return states
    },
    async seen(txHash, wanted = isSettled) {
      let last: unknown
      try {
        return await until(`the status of ${txHash}`, PATIENCE, async () => {
          const status = await native.status(txHash)
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
      const found = (await validator.rpc('getTransaction', [status.txHash, options])) as Landed
      const place = found.transaction.message.accountKeys.indexOf(wallet.address)
      const [before, after] = [BigInt(found.meta.preBalances[place] ?? 0), BigInt(found.meta.postBalances[place] ?? 0)]
      const sum = (kind: string) =>
        (status.moves ?? []).filter((move) => move.kind === kind).reduce((total, { amount }) => total + (amount ?? 0n), 0n)
      report.equal(`the fee of ${what} is the node's, to the lamport`, status.fee?.units, BigInt(found.meta.fee))
      const moved = sum('arrives') - sum('leaves') - BigInt(found.meta.fee)
      report.equal(`what ${what} moved is what the node's books say, to the lamport`, moved, after - before)
      report.equal(`the slot of ${what} is the node's`, status.block?.height, found.slot)
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
