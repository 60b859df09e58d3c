import type { Recording } from '@svc/testing/recordings'
import { readAccount, readBalance, readSequence, readSpendable } from '../../src/account.ts'
import { gasPriceOf } from '../../src/gas-price.ts'
import { readBegunUnbondings, readBlock, readBlockResult } from '../../src/life/block.ts'
import { scanBlocks } from '../../src/life/scan.ts'
import { findTransaction, findUses, isPooled } from '../../src/life/transaction-lookup.ts'
import { readReach } from '../../src/node-status.ts'
import { simulate } from '../../src/simulate.ts'
import { readClaimable, readDelegation, readStakingParams, readUnbondings, readValidator } from '../../src/staking/chain.ts'
import { countDelegators } from '../../src/staking/delegators.ts'
import { RECORDED, type RecordedChain, type replayed } from '../support/replay.ts'

interface Asked {
  readonly of: RecordedChain
  readonly ctx: ReturnType<typeof replayed>
  readonly recording: Recording
}

/** A reader of the kit: which recordings it can meet, and how it is asked for what they hold. */
interface Reader {
  readonly pattern: RegExp
  read(asked: Asked): Promise<unknown>
}

/** Text of the request, where it is one that can be read in its bytes. */
const named = ({ recording, of }: Asked, prefix: string): string => {
  const { params = {} } = recording.request.body as { params?: { data?: string } }
  return new RegExp(`${prefix}1[a-z0-9]{38}`).exec(Buffer.from(params.data ?? '', 'hex').toString('latin1'))?.[0] ?? RECORDED[of].asked
}
const wallet = (asked: Asked) => named(asked, RECORDED[asked.of].chain.prefix)
const denomOf = ({ of, recording }: Asked) => (recording.name.endsWith('other-denom') ? 'nosuch' : RECORDED[of].chain.denom)
const params = ({ recording }: Asked) => ((recording.request.body as { params?: any }).params ?? {}) as Record<string, any>
/** The height that was asked for, or that of the answer. */
const heightIn = (told?: unknown) => (/^[1-9]\d*$/.test(String(told ?? '')) ? BigInt(String(told)) : 7n)
const resultIn = ({ recording }: Asked) => (recording.response.body as { result?: any }).result

/** Every reader of the kit, but those of a broadcast, which `recorded-refusals` has, and of a whole life. */
export const READERS: Readonly<Record<string, Reader>> = {
  readAccount: { pattern: /^query-account(?!-any)/, read: (asked) => readAccount(asked.ctx.client, wallet(asked)) },
  readSequence: { pattern: /^query-account(?!-any)/, read: (asked) => readSequence(asked.ctx.client, wallet(asked)) },
  readBalance: {
    pattern: /^query-(balance|empty-request|garbage-request)/,
    read: (asked) => readBalance(asked.ctx.client, wallet(asked), denomOf(asked)),
  },
  readSpendable: { pattern: /^query-spendable/, read: (asked) => readSpendable(asked.ctx.client, wallet(asked), denomOf(asked)) },
  readValidator: { pattern: /^query-validator(-bad|-empty|-unknown)?$/, read: async ({ ctx }) => readValidator(ctx) },
  readDelegation: {
    pattern: /^query-delegation/,
    read: (asked) => readDelegation(asked.ctx, denomOf(asked), wallet(asked), asked.ctx.network.validator),
  },
  readUnbondings: { pattern: /^query-unbonding/, read: (asked) => readUnbondings(asked.ctx, wallet(asked), asked.ctx.network.validator) },
  readBegunUnbondings: {
    pattern: /^query-delegator-unbondings/,
    read: (asked) =>
      readBegunUnbondings(asked.ctx.client, wallet(asked), asked.recording.name.endsWith('none') ? 1n : asked.of === 'hub' ? 1110n : 263n),
  },
  readClaimable: {
    pattern: /^query-total-rewards/,
    read: async (asked) =>
      (await readClaimable(asked.ctx, denomOf(asked), wallet(asked), [asked.ctx.network.validator]))(asked.ctx.network.validator),
  },
  readStakingParams: {
    pattern: /^query-(staking-params|height-|prove|no-path|unknown|store-key)/,
    read: async ({ ctx }) => {
      const { unbondingTime, maxEntries, bondDenom } = await readStakingParams(ctx)
      return { seconds: unbondingTime.seconds, maxEntries, bondDenom }
    },
  },
  countDelegators: { pattern: /^query-validator-delegations-count$/, read: ({ ctx }) => countDelegators(ctx) },
  gasPriceOf: { pattern: /^query-gas-price$/, read: ({ ctx, of }) => gasPriceOf(ctx.client, RECORDED[of].chain, ctx.network) },
  simulate: {
    pattern: /^simulate-/,
    async read({ ctx, of }) {
      const found = await simulate(ctx, RECORDED[of].chain, new Uint8Array(), { publicKey: new Uint8Array(33), sequence: 0n }, 10n ** 7n)
      return typeof found === 'string' ? found : Number(found.gasUsed)
    },
  },
  readBlock: {
    pattern: /^blockchain-/,
    read: (asked) => readBlock(asked.ctx.client, RECORDED[asked.of].chainId, heightIn(params(asked).minHeight)),
  },
  scanBlocks: {
    pattern: /^block-(?!results)/,
    async read(asked) {
      const { chain, chainId } = RECORDED[asked.of]
      const height = heightIn(resultIn(asked)?.block?.header?.height)
      const known = { hash: 'F'.repeat(64), wallet: RECORDED[asked.of].sender, sequence: asked.of === 'hub' ? 0n : 4n } as never
      const scanned = await scanBlocks(asked.ctx.client, chain, chainId, known, { from: height, to: height })
      return scanned && { found: scanned.found, rivals: scanned.rivals.map(({ hash, passed }) => ({ hash, passed })) }
    },
  },
  readBlockResult: {
    pattern: /^block-results-(?!.*(landed|failed|out-of-gas|refused))/,
    async read(asked) {
      const found = await readBlockResult(asked.ctx.client, { height: heightIn(resultIn(asked)?.height), index: 0 }, () => true)
      return found && { code: found.code, codespace: found.codespace, events: found.events.length }
    },
  },
  findTransaction: {
    pattern: /^tx-(?!search)/,
    async read(asked) {
      const { chain } = RECORDED[asked.of]
      const stated = asked.recording.name.startsWith('tx-status')
      const hash = resultIn(asked)?.hash ?? 'AB'.repeat(32)
      const found = await findTransaction({ ...chain, lookup: stated ? 'tx_status' : 'tx' }, asked.ctx.client, hash)
      return found.at === 'block' ? `${found.result.code}${found.result.events === null ? '' : ` ${found.result.events.length}`}` : found.at
    },
  },
  findUses: {
    pattern: /^tx-search-/,
    read: async (asked) => (await findUses(asked.ctx.client, RECORDED[asked.of].sender, 0n)).map(({ place }) => place.result.code),
  },
  isPooled: {
    pattern: /^(num-)?unconfirmed-txs/,
    read: ({ ctx }) => isPooled(ctx.client, '36353F42008BAB0DB6AEFBBC75D176547EEBC5C0455302A1A3BB0DFCFD3A082E'),
  },
  readReach: { pattern: /^rpc-(get-)?status$/, read: async (asked) => readReach(resultIn(asked)) },
  envelope: {
    pattern:
      /^rpc-(bad-json|batch-(eleven|one-and-garbage)|bool-id|empty-(batch|body)|health|no-(id|params)|other-path|too-large|unknown-method)$/,
    read: ({ ctx }) => ctx.client.rpc.call('health', {}, (result) => Object.keys(Object(result)).length),
  },
}
