import type { Subject as Watched } from '@svc/contract'
import type { Liar } from '../family.ts'
import { createRecording, type Endpoint, type Recording } from '../lies/endpoint.ts'
import { balanceProbe, craftProbe } from '../lies/requests.ts'
import { trial } from '../lies/trial.ts'
import type { FamilyLife, Stage } from '../life/family.ts'
import { setStage } from '../life/stage.ts'
import { createClock, createWatcher } from '../life/watcher.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** Seconds that pass between what an endpoint that is behind has, and what one that is well has: some blocks of every chain, and less than what a network bears. */
const BEHIND_SECONDS = 240
/** Looks of the service at the transaction before it is sent. */
const EARLY_LOOKS = 2

/** A wallet whose transaction has landed, and what was answered of it before and since. */
export interface Scene {
  readonly action: string
  /** Body of a request for that action, of the wallet. */
  readonly body: Readonly<Record<string, unknown>>
  /** The transaction that has landed. */
  readonly stage: Stage
  /** One of another wallet, that nobody has sent. */
  readonly unsent: Stage
  /** Answers from before it was sent. */
  readonly early: Recording
  /** Answers since it is final. */
  readonly late: Recording
  readonly healthy: Endpoint
  /** Whether the family tells heads, and which exchanges are readings, so that an endpoint that is behind another one is found to be. */
  readonly comparesHeads: boolean
  /** Time of the service since then. */
  readonly now: Date
  /** The transaction as a service knows it that has sent it. */
  readonly followed: Watched
  /** The transaction as a service knows it that has heard of its hash alone. */
  readonly byHash: Watched
}

/** Makes the scene: wallets with transactions that are signed, sent or landed. @throws a sentence when a transaction cannot be made */
export async function setScene(subject: Subject, life: FamilyLife, liar: Liar): Promise<Scene> {
  const { kit, direct, world, actions } = subject
  const action = present(actions[0], 'an action')
  const { player, body } = await subject.freshExample(action)
  const stage = await setStage(subject, life, action, { player, body })
  const unsent = await setStage(subject, life, action)
  const wallet = kit.life?.byWallet ? { wallet: kit.address(stage.wallet.address) } : {}
  const byHash: Watched = { txHash: stage.txHash, ...wallet, bounds: null, keep: null, firstSeen: null, accepted: false }
  const before = new Date()
  const bounds = kit.life?.bounds(stage.body, direct.network) ?? null
  const subjectOfSender: Watched = { ...byHash, bounds, firstSeen: before, accepted: true }

  const early = createRecording(subject, liar)
  const endpoint = early.endpoint('early', null)
  await trial(subject, [endpoint], before, craftProbe(subject, action, body))
  await trial(subject, [endpoint], before, balanceProbe(subject, stage.wallet.address))
  await looks(subject, [endpoint], byHash, before, 1)
  const { known } = await looks(subject, [endpoint], subjectOfSender, before, EARLY_LOOKS)

  await stage.send(stage)
  await stage.placed(stage)
  await life.loss?.bury?.(stage)
  await world.advance({ seconds: BEHIND_SECONDS })
  const late = createRecording(subject, liar)
  const heads: Date[] = []
  const ctx = subject.connect([], heads)
  await subject.protocol.balance(ctx, kit.address(stage.wallet.address)).finally(() => kit.close?.(ctx.client))
  return {
    comparesHeads: heads.length > 0 && kit.agrees !== undefined,
    ...{ action, body, stage, unsent, early, late, byHash },
    healthy: late.endpoint('healthy', null),
    now: new Date(Date.now() + BEHIND_SECONDS * 1000),
    followed: known,
  }
}

/** Looks at a transaction `times` times, as the host does. @returns the last outcome, and what is known of it by then */
export async function looks(subject: Subject, endpoints: readonly Endpoint[], watched: Watched, start: Date, times: number) {
  const watcher = createWatcher(subject, endpoints, watched, createClock(start))
  try {
    let outcome = await watcher.look()
    for (let look = 1; look < times; look++) outcome = await watcher.look()
    return { outcome, known: watcher.known() }
  } finally {
    await watcher.close()
  }
}
