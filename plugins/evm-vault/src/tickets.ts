import { isServiceError } from '@svc/contract'
import { type Exit, type ExitEvents, readExitEvents } from './events.ts'
import { updateState } from './harvest.ts'
import { readHead } from './head.ts'
import { claimDelay } from './kinds.ts'
import { type Listed, readListed } from './listed.ts'
import { look, type View } from './look.ts'
import type { VaultContext } from './network.ts'
import { answered, ask, ofVault, type Question, together } from './questions.ts'
import { type Checkpoint, type Progress, progressOf } from './queue.ts'

/** An exit and how far it has come. */
export interface Ticket extends Exit, Progress {
  /** Seconds since 1970 from which on it can be claimed, as far as it was processed. */
  readonly matureAt: number
  /** `withdraw` can claim it now, at least in part. */
  readonly isClaimable: boolean
  /** When the indexer expects it to be processed, in seconds since 1970; null without its word. */
  readonly expectedAt: number | null
}

/** State of the queue as vaults of version 5 tell it, in shares and wei. */
interface QueueData {
  readonly unclaimedAssets: bigint
  readonly totalExitingTickets: bigint
  readonly totalExitingAssets: bigint
  readonly totalTickets: bigint
}

/** An address in a vault, with its exits. */
export interface Holding {
  readonly view: View<{ readonly shares: bigint }, { readonly queue: QueueData }, object>
  readonly tickets: readonly Ticket[]
}

/**
 * The exits of an address, from the vault's own events.
 *
 * How far each has come is computed from the queue's checkpoints where the vault confirms that these are all of them, and read from the
 * vault otherwise, or when `confirm` asks for the vault's own word in any case.
 *
 * @throws 502 when neither the chain nor the subgraph lists exits
 */
export async function readHolding(ctx: VaultContext, address: string, { confirm }: { confirm: boolean }): Promise<Holding> {
  const head = readHead(ctx)
  const listed = readListed(ctx, address)
  const events = readExitEvents(ctx, address, head)
  const [view, now, exits] = await Promise.all([
    look<{ shares: bigint }, { queue: QueueData }>(ctx, {
      vault: { shares: ofVault('getShares', [address]) },
      maybe: { queue: ofVault('getExitQueueData', [], (it) => it.toObject() as QueueData) },
    }),
    head,
    events.catch((error: unknown) => orListed(error, listed)),
  ])
  if (exits.exits.length === 0) return { view, tickets: [] }
  const delay = ctx.network.claim_delay_seconds ?? claimDelay(view.kind, view.maybe !== null)
  const checkpoints = 'checkpoints' in exits ? trusted(view, exits) : null
  const computed = checkpoints && exits.exits.map((exit) => progressOf(checkpoints, exit.ticket, exit.tickets))
  const progress = computed && !confirm ? computed : await readProgress(ctx, address, view, exits.exits, computed)
  const expected = confirm ? await listed.catch(() => null) : null
  const tickets = exits.exits.flatMap((exit, index) => {
    const own = progress[index]!
    // The vault does not know it: claimed meanwhile, or never there.
    if (own.left === 0n && own.exited === 0n) return []
    const matureAt = exit.timestamp + delay
    const isClaimable = own.exited > 0n && own.assets > 0n && now.timestamp >= matureAt
    return [
      { ...exit, ...own, matureAt, isClaimable, expectedAt: expected?.find(({ ticket }) => ticket === exit.ticket)?.expectedAt ?? null },
    ]
  })
  return { view, tickets }
}

/** What the subgraph lists in place of events that the endpoints do not serve; each exit is then asked of the vault. */
async function orListed(error: unknown, listed: Promise<readonly Listed[] | null>): Promise<Pick<ExitEvents, 'exits'>> {
  if (!isServiceError(error)) throw error
  const exits = await listed.catch(() => null)
  if (exits === null) throw error
  return { exits }
}

/** The queue's checkpoints, with the one that the harvest of the view makes; null when the vault does not confirm them. */
function trusted({ before, maybe, harvest }: Holding['view'], { exits, checkpoints }: ExitEvents): readonly Checkpoint[] | null {
  const [was, is] = [before.maybe?.queue, maybe?.queue]
  if (!was || !is || was.totalExitingTickets > 0n || exits.some(({ isOld }) => isOld)) return null
  if (was.totalTickets !== (checkpoints.at(-1)?.totalTickets ?? 0n)) return null
  if (!harvest || is.totalTickets === was.totalTickets) return checkpoints
  return [...checkpoints, { totalTickets: is.totalTickets, assets: is.unclaimedAssets - was.unclaimedAssets }]
}

/** The vault's own word, on the state after the view's harvest. @param known indexes; they are asked for first when there are none */
async function readProgress(
  ctx: VaultContext,
  address: string,
  { harvest }: Holding['view'],
  exits: readonly Exit[],
  known: readonly Progress[] | null,
): Promise<readonly Progress[]> {
  const first = harvest ? [updateState(harvest)] : []
  const each = async <T>(question: (exit: Exit, index: number) => Question<T>): Promise<readonly T[]> => {
    const all = together<Record<string, T>>(
      Object.fromEntries(exits.map((exit, index) => [`ticket ${index}`, question(exit, index)])),
      first,
    )
    return Object.values(answered((await ask(ctx, { all })).all))
  }
  const indexes = known?.map(({ index }) => index) ?? (await each<bigint>(({ ticket }) => ofVault('getExitQueueIndex', [ticket])))
  return each<Progress>(({ ticket, timestamp }, at) => {
    const index = indexes[at]!
    // Beyond the last checkpoint: nothing exited.
    const args = [address, ticket, timestamp, BigInt.asUintN(256, index)]
    return ofVault('calculateExitedAssets', args, ([left, exited, assets]) => ({ index, left, exited, assets }))
  })
}
