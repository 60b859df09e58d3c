import { isServiceError, type ServiceError } from '@svc/contract'
import { type Question, readAmount } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { type OpenExit, readExitEvents } from '../events/exit-events.ts'
import type { VaultContext } from '../network.ts'
import type { AnswerInTime } from '../subgraph/deadline.ts'
import { askExits, type ExitList, isBehind } from '../subgraph/exits.ts'
import { type Block, readLatestBlock } from './blocks.ts'
import { askAll, together } from './calls.ts'
import { type Checkpoint, type ExitProgress, progressOf } from './exit-queue.ts'
import { updateState } from './harvest.ts'
import { claimDelaySeconds, fixesExitValues } from './vault-kinds.ts'
import { readVaultState, type VaultState } from './vault-state.ts'

/**
 * Exits in one call of the chain: each takes some 10,000 gas and nodes run fifty million at once, while anybody can put exits into the queue for
 * another receiver. All calls travel together.
 */
const PER_CALL = 200

/** An exit and how far it has come. */
export interface ExitTicket extends OpenExit, ExitProgress {
  /** Seconds since 1970 from which on it can be claimed, as far as it was processed. */
  readonly matureAt: number
  /** `withdraw` can claim it now, at least in part. */
  readonly isClaimable: boolean
  /** When the indexer expects it to be processed, in seconds since 1970; null where it does not say. */
  readonly expectedAt: number | null
}

/** The vault's state, with the shares of one address. */
export type OwnerState = VaultState<{ readonly shares: bigint }, object>

/** An address in a vault, with its exits. */
interface ExitTickets {
  readonly state: OwnerState
  readonly tickets: readonly ExitTicket[]
  /** The exits as the vault's events list them; null where the subgraph does. */
  readonly listed: readonly OpenExit[] | null
  /** Why the chain does not list exits, where the subgraph does instead: what it leaves out is missing. */
  readonly eventsError: ServiceError | null
}

/**
 * Reads the exits of an address from the vault's own events.
 *
 * The progress of each is computed from the queue's checkpoints where the vault confirms that they are complete. It is read from the vault otherwise, and always with
 * `confirm`.
 *
 * @throws 502 when neither the chain nor the subgraph lists exits
 */
export async function readExitTickets(ctx: VaultContext, address: string, { confirm }: { confirm: boolean }): Promise<ExitTickets> {
  const block = readLatestBlock(ctx)
  const list = askExits(ctx, address)
  const [state, latest, { exits, checkpoints, eventsError }] = await Promise.all([
    readVaultState<{ shares: bigint }, object>(ctx, {
      own: { shares: vaultAbi.question(ctx.network.vault, 'getShares', [address], readAmount) },
      others: {},
      withQueue: true,
    }),
    block,
    openExits(ctx, address, { latest: block, answer: list, inPart: !confirm }),
  ])
  const exitList = eventsError === null ? exits : null
  if (exits.length === 0) return { state, tickets: [], listed: exitList, eventsError }
  const delay = ctx.network.claim_delay_seconds ?? claimDelaySeconds(state.kind, state.queue !== null)
  const confirmed = checkpoints && confirmedCheckpoints(state, exits, checkpoints)
  const computed = confirmed && exits.map((exit) => ({ exit, progress: progressOf(confirmed, exit.ticket, exit.tickets) }))
  const entries = computed && !confirm ? computed : await readProgress(ctx, address, state, exits, computed)
  const expected = confirm ? expectedTimes(ctx, await list(), latest) : null
  const tickets = entries.flatMap(({ exit, progress }) => {
    // The vault does not know it: claimed meanwhile, or never there.
    if (progress.left === 0n && progress.exited === 0n) return []
    // What was requested in version 2 is no part of a checkpoint while the vault has that version, which takes no index for it.
    const place = exit.isVersion2 && fixesExitValues(state) ? { ...progress, index: 0n } : progress
    const matureAt = exit.timestamp + delay
    const isClaimable = progress.exited > 0n && progress.assets > 0n && latest.timestamp >= matureAt
    return [{ ...exit, ...place, matureAt, isClaimable, expectedAt: expected?.get(exit.ticket) ?? null }]
  })
  if (eventsError && tickets.length < exits.length)
    ctx.log.warn({ network: ctx.network.chainId, address }, 'the subgraph lists exits that the vault does not know')
  return { state, tickets, listed: exitList, eventsError }
}

/** The exits that an address has, and who says so. */
interface OpenExits {
  readonly exits: readonly OpenExit[]
  /** Null where the subgraph lists the exits. */
  readonly checkpoints: readonly Checkpoint[] | null
  readonly eventsError: ServiceError | null
}

interface Listing {
  readonly latest: Promise<Block>
  readonly answer: AnswerInTime<ExitList>
  /** True if the exits with the most tickets will do, where there are more than the subgraph lists. */
  readonly inPart: boolean
}

/** From the vault's own events; from the subgraph's list where these cannot be read, if it is not too far behind the chain, and whole where it has to be. */
async function openExits(ctx: VaultContext, address: string, { latest, answer, inPart }: Listing): Promise<OpenExits> {
  try {
    return { ...(await readExitEvents(ctx, address, latest)), eventsError: null }
  } catch (error) {
    if (!isServiceError(error)) throw error
    const list = await answer(true)
    if (list === null || isBehind(ctx, list, await latest) || !(list.isWhole || inPart)) throw error
    const exits = new Map(list.exits.map((exit) => [exit.ticket, { ...exit, fixedAssets: null }]))
    return { exits: [...exits.values()], checkpoints: null, eventsError: error }
  }
}

/** Lists when the subgraph expects exits to be processed, by their tickets; null where it does not say. */
function expectedTimes(ctx: VaultContext, list: ExitList | null, latest: Block): ReadonlyMap<bigint, number | null> | null {
  if (list === null || isBehind(ctx, list, latest)) return null
  return new Map(list.exits.map(({ ticket, expectedAt }) => [ticket, expectedAt]))
}

/** The queue's checkpoints, with the one that the harvest of the state makes; null when the vault does not confirm them. */
function confirmedCheckpoints(
  { beforeHarvest, queue, harvest }: OwnerState,
  exits: readonly OpenExit[],
  checkpoints: readonly Checkpoint[],
): readonly Checkpoint[] | null {
  const before = beforeHarvest.queue
  if (!before || !queue || before.totalExitingTickets > 0n || exits.some(({ isVersion2 }) => isVersion2)) return null
  if (before.totalTickets !== (checkpoints.at(-1)?.totalTickets ?? 0n)) return null
  if (!harvest || queue.totalTickets === before.totalTickets) return checkpoints
  return [...checkpoints, { totalTickets: queue.totalTickets, assets: queue.unclaimedAssets - before.unclaimedAssets }]
}

interface Known {
  readonly exit: OpenExit
  readonly progress: ExitProgress
}

/** Reads the progress of exits as the vault says, after the state's harvest. @param computed has the indexes, which are asked for first where it is null */
async function readProgress(
  ctx: VaultContext,
  address: string,
  { harvest }: OwnerState,
  exits: readonly OpenExit[],
  computed: readonly Known[] | null,
): Promise<readonly Known[]> {
  const { vault } = ctx.network
  const first = harvest ? [updateState(harvest)] : []
  const answersTo = async <T>(questions: readonly Question<T>[]): Promise<readonly T[]> => {
    const parts = Array.from({ length: Math.ceil(questions.length / PER_CALL) }, (_, at) =>
      together<{ exits: readonly T[] }>(vault, { exits: questions.slice(at * PER_CALL, (at + 1) * PER_CALL) }, first),
    )
    const answers = await askAll<readonly { readonly exits: readonly T[] }[]>(ctx, parts, { perCall: 1 })
    return answers.flatMap(({ exits }) => exits)
  }
  const indexed =
    computed?.map(({ exit, progress }) => ({ exit, index: progress.index })) ??
    (await answersTo(
      exits.map((exit) => vaultAbi.question(vault, 'getExitQueueIndex', [exit.ticket], (index) => ({ exit, index: readAmount(index) }))),
    ))
  return answersTo(
    indexed.map(({ exit, index }) => {
      // Beyond the last checkpoint: nothing exited.
      const args = [address, exit.ticket, exit.timestamp, BigInt.asUintN(256, index)] as const
      return vaultAbi.question(vault, 'calculateExitedAssets', args, ([left, exited, assets]) => ({
        exit,
        progress: { index, left: readAmount(left), exited: readAmount(exited), assets: readAmount(assets) },
      }))
    }),
  )
}
