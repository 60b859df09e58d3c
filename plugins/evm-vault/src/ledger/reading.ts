import { type Facts, malformedAnswer, nodeBehind } from '@svc/contract'
import type { Amounts, BookReading } from '@svc/contract/book'
import { type EvmClient, finalMark, type Question, readAmount } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { readLatestBlock } from '../chain/blocks.ts'
import { askAll } from '../chain/calls.ts'
import { type ExitProgress, progressOf } from '../chain/exit-queue.ts'
import { fixesExitValues, servedKind, vaultUnsupported } from '../chain/vault-kinds.ts'
import { readExitsAt } from '../events/exit-events.ts'
import { contextOf, type VaultContext, vaultsOf } from '../network.ts'
import { assetsOf } from '../shares.ts'
import { keysOf, type Waiting } from './walk.ts'

type ExitEvents = Awaited<ReturnType<Awaited<ReturnType<typeof readExitsAt>>>>

/** Most exits of a wallet in one vault of which a book is kept: as many as one call of the chain tells the progress of, at some 10,000 gas each. */
const MOST_EXITS = 200
/** Fact of a reading: the vaults whose position is in no bucket, joined by spaces. */
const UNDECLARED = 'undeclared'

/**
 * Memory of each vault's events, by the client of an endpoint: a book asks an endpoint by itself with an empty memory each time, and the events of a former vault, which are kept
 * nowhere else, would be read from the first block at every try.
 */
const memories = new WeakMap<EvmClient, Map<string, object>>()

/**
 * Reads the shares of an address in each vault of the operator, its exits, and what both are worth, at the last final block, in three round trips; two more where it has to
 * look for exits in more than the newest blocks.
 *
 * @throws 502 VAULT_UNREADABLE, VAULT_UNSUPPORTED; 503 EXITS_INCOMPLETE; 502, 503, 504
 */
export async function reading(ctx: VaultContext, address: string): Promise<BookReading> {
  const latest = readLatestBlock(ctx)
  const vaults = vaultsOf(ctx.network).map((vault) => remembering(contextOf(ctx, vault)))
  const [mark, head, ...lists] = await Promise.all([finalMark(ctx), latest, ...vaults.map((vault) => readExitsAt(vault, latest))])
  // Whoever has not come so far cannot have the exits of these blocks.
  if (BigInt(head.number) < mark.height) throw nodeBehind(`its head is block ${head.number}`).refusal
  const parts = await Promise.all(
    vaults.map(async (vault, at) => {
      const events = await lists[at]?.(address, mark.height)
      return partOf(vault, address, mark.hash, events ?? { exits: [], checkpoints: [] })
    }),
  )
  const amounts = Object.entries(Object.assign({}, ...parts.map((part) => part.amounts)) as Amounts)
  const undeclared = vaults.filter((_, at) => parts[at]?.isDeclared === false).map(({ network }) => network.vault.toLowerCase())
  return {
    mark,
    amounts: Object.fromEntries(amounts.filter(([, amount]) => amount > 0n)),
    keep: {
      ...Object.assign({}, ...parts.map((part) => part.keep)),
      ...(undeclared.length > 0 ? { [UNDECLARED]: undeclared.join(' ') } : {}),
    },
  }
}

/** Makes the context of a vault in which its events are remembered as long as the client lives. */
function remembering(ctx: VaultContext): VaultContext {
  const own = memories.get(ctx.client) ?? new Map<string, object>()
  memories.set(ctx.client, own)
  const memo = own.get(ctx.network.vault) ?? ctx.memo
  own.set(ctx.network.vault, memo)
  return { ...ctx, memo }
}

/** Position of an address in one vault. */
interface Part {
  readonly amounts: Amounts
  readonly keep: Facts
  /** False where the vault, or an exit, follows the rules of version 2, and where there are too many exits: such a vault is in no bucket. */
  readonly isDeclared: boolean
}

/** @param hash of the block */
async function partOf(ctx: VaultContext, address: string, hash: string, { exits, checkpoints }: ExitEvents): Promise<Part> {
  const { vault } = ctx.network
  const open = exits.map((exit) => ({ ...exit, progress: progressOf(checkpoints, exit.ticket, exit.tickets) }))
  const isBounded = exits.length <= MOST_EXITS && !exits.some(({ isVersion2 }) => isVersion2)
  const [{ vaultId, version, shares, ...totals }, indexes, words] = await Promise.all([
    askAll(
      ctx,
      {
        vaultId: vaultAbi.question(vault, 'vaultId', []),
        version: vaultAbi.question(vault, 'version', [], Number),
        shares: vaultAbi.question(vault, 'getShares', [address], readAmount),
        ...askTotals(vault),
      },
      { at: hash },
    ),
    askAll(ctx, isBounded ? open.map(({ ticket }) => vaultAbi.question(vault, 'getExitQueueIndex', [ticket])) : [], { at: hash }),
    askAll(
      ctx,
      isBounded ? open.map(({ ticket, timestamp, progress }) => askProgress(vault, address, ticket, timestamp, progress.index)) : [],
      {
        at: hash,
      },
    ),
  ])
  const kind = servedKind(vaultId, version)
  if (typeof kind === 'string') throw vaultUnsupported(vault, kind)
  if (!isBounded || fixesExitValues({ kind, version })) return { amounts: {}, keep: {}, isDeclared: false }
  // What the vault does not know is no exit: its claim was not among the events.
  const own = open.flatMap((exit, at) => {
    const word = words[at]
    if (word === undefined || (word.left === 0n && word.exited === 0n)) return []
    if (!isAgreed(exit, indexes[at], word)) throw malformedAnswer({ vault, exit, index: indexes[at], word }).refusal
    return [{ ...exit, ...word }]
  })
  const [worth = 0n, ...waiting] = await worthsOf(ctx, [shares, ...own.map(({ left }) => left)], totals, hash)
  const keys = keysOf(vault.toLowerCase())
  return {
    amounts: Object.fromEntries([
      [keys.shares, shares],
      [keys.worth, worth],
      ...own.map(({ first, tickets }) => [keys.exit(first), tickets]),
      ...own.map(({ first, assets }, at) => [keys.exitWorth(first), assets + (waiting[at] ?? 0n)]),
    ]),
    keep: Object.fromEntries(own.flatMap(({ first, ticket }) => (first === ticket ? [] : [[keys.exit(first), `${ticket}`]]))),
    isDeclared: true,
  }
}

/** Progress of an exit in the vault's own words: tickets that wait, tickets that were turned into ETH, and the wei of these. */
type Word = Readonly<Record<'left' | 'exited' | 'assets', bigint>>

function askProgress(vault: string, address: string, ticket: bigint, timestamp: number, index: bigint): Question<Word> {
  const args = [address, ticket, timestamp, BigInt.asUintN(256, index)] as const
  return vaultAbi.question(vault, 'calculateExitedAssets', args, ([left, exited, assets]) => ({ left, exited, assets: readAmount(assets) }))
}

/** Tells whether the vault's word on an exit is what the events of its queue make of it. A single ticket that is left waits in some versions, and goes with the rest in others. */
function isAgreed(
  { tickets, progress }: { readonly tickets: bigint; readonly progress: ExitProgress },
  index: bigint | undefined,
  word: Word,
): boolean {
  const difference = word.left - progress.left
  const isLeftAlike = difference === 0n || (difference === 1n && progress.left === 0n) || (difference === -1n && word.left === 0n)
  return index === progress.index && word.left + word.exited === tickets && isLeftAlike && word.assets === progress.assets
}

type Totals = Readonly<Record<'totalAssets' | 'totalShares', bigint>>

function askTotals(vault: string) {
  return {
    totalAssets: vaultAbi.question(vault, 'totalAssets', [], readAmount),
    totalShares: vaultAbi.question(vault, 'totalShares', [], readAmount),
  }
}

/**
 * Reads the worth of shares at a block, in wei, by the vault's own answer and by its totals.
 *
 * @param hash of the block
 * @throws 502 where the two differ; 502 VAULT_UNREADABLE, 502, 503, 504
 */
export async function worthAt(ctx: VaultContext, shares: bigint, hash: string): Promise<bigint> {
  const { vault } = ctx.network
  const question = vaultAbi.question(vault, 'convertToAssets', [shares], readAmount)
  const { worth, ...totals } = await askAll(ctx, { worth: question, ...askTotals(vault) }, { at: hash })
  return agreed(worth, shares, totals)
}

async function worthsOf(ctx: VaultContext, units: readonly bigint[], totals: Totals, hash: string): Promise<readonly bigint[]> {
  const questions = units.map((shares) => vaultAbi.question(ctx.network.vault, 'convertToAssets', [shares], readAmount))
  const worths = await askAll(ctx, questions, { at: hash })
  return worths.map((worth, at) => agreed(worth, units[at] ?? 0n, totals))
}

function agreed(worth: bigint, shares: bigint, totals: Totals): bigint {
  if (worth !== assetsOf(shares, totals)) throw malformedAnswer({ worth, shares, ...totals }).refusal
  return worth
}

/** Returns the exits of a reading in a vault, by the tickets that they had then. @param vault in lower case */
export function exitsOf({ amounts, keep }: BookReading, vault: string): ReadonlyMap<bigint, Waiting> {
  const prefix = keysOf(vault).exit(0n).slice(0, -1)
  return new Map(
    Object.entries(amounts).flatMap(([key, tickets]) => {
      if (!key.startsWith(prefix)) return []
      const first = BigInt(key.slice(prefix.length))
      return [[BigInt(keep[key] ?? first), { first, tickets }] as const]
    }),
  )
}

/** Tells whether a reading has all of the position. */
export function isDeclared({ keep }: BookReading): boolean {
  return !(UNDECLARED in keep)
}
