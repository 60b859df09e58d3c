import { membersOf, type Subject as Watched } from '@svc/contract'
import { type differences, type Look, looksOf, termsOf } from '@svc/core/plugins'
import { explain } from '@svc/verify/intent'
import { type Check, shown, thrown } from '../check.ts'
import type { Client } from '../http.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import type { WalletLife } from '../wallet-life.ts'
import { type Change, changeOf } from './books.ts'
import type { MovesEvent, MovesTest } from './options.ts'

/** Looks until a transaction that is in a block is told to be in one. */
const MOST_LOOKS = 20
/** Lowest status of an answer that is a fault of the service. */
const FAULT = 500
/** Answers that say that the chain is to blame. */
const UPSTREAM = new Set([502, 503, 504])

/** An act that came to no block. */
export class NotSent extends Error {}

/** An act of a life. */
interface Attempt {
  readonly action: string
  readonly body: Readonly<Record<string, unknown>>
  /** Something that happens when it is signed and not sent yet. */
  readonly before: (() => Promise<MovesEvent | null>) | null
  /** What has happened so far, for findings. */
  readonly history: readonly string[]
  /** Takes the code of a refusal. */
  refused(code: string): void
}

/** A transaction in a block. */
interface Landed {
  readonly succeeded: boolean
  /** Change of the engine's books, without the fee. */
  readonly change: Change
  readonly promised: Parameters<typeof differences>[0]
  /** Whether it may have moved something else than it promises. */
  readonly differs: boolean
  /** null where it could not be told. */
  look(): Promise<Look | null>
  /** Why it could not. */
  said(): string
}

/** Crafts, signs and sends a transaction through the service, and reads the engine's books before and after it. @throws NotSent where it is refused */
export async function transact(subject: Subject, check: Check, test: MovesTest, life: WalletLife, attempt: Attempt): Promise<Landed> {
  const { client, family, world, kit, protocol, direct } = subject
  const { player } = life
  const passed = async (what: string, sending: ReturnType<Client['post']>) => {
    const answer = await sending
    if (answer.status === 200) return answer
    attempt.refused(`${answer.code ?? answer.status}`)
    if (answer.status >= FAULT && !UPSTREAM.has(answer.status))
      check.fail(`${what} ${shown(attempt.body)} after ${attempt.history.slice(-6).join('; ')}: no fault of the service`, answer.text)
    throw new NotSent(answer.text)
  }
  const crafted = await passed(attempt.action, player.craft(attempt.action, attempt.body))
  const prepared = await passed('prepare', client.post('/action/prepare', await family.sign(crafted.json, player.wallet)))
  const event = await attempt.before?.()
  const before = await test.book(life)
  const sent = await passed('broadcast', client.post('/action/broadcast', prepared.json))
  const txHash = String(membersOf(sent.json).tx_hash)
  const succeeded = await family.landed(world.rpcUrl, txHash).then(
    () => true,
    () => false,
  )
  const [after, fee] = [await test.book(life), await test.fee(life, txHash)]
  const signed = membersOf(prepared.json)
  const explained =
    protocol.intent?.family.explain && kit.sent
      ? await explain(protocol.intent, termsOf(protocol, direct.network), kit.sent(signed, direct.network).bytes)
      : null
  // Some callers have followed it from its bytes on, and some know its hash and their address alone.
  const bounds = life.random(3) > 0 ? (kit.life?.bounds(signed, direct.network) ?? null) : null
  const watched = {
    txHash,
    bounds,
    firstSeen: new Date(),
    accepted: true,
    ...(bounds ? {} : { wallet: kit.address(player.wallet.address) }),
  }
  const { transaction } = looksOf(protocol, direct, () => [direct.client])
  let keep: Watched['keep'] = null
  let sentence = ''
  return {
    succeeded,
    change: changeOf(before, after, fee),
    promised: explained?.moves ?? [],
    differs: event?.differs === true,
    said: () => sentence,
    async look() {
      // Answers of two moments, as where a block comes between them, are no answer: the host asks again.
      for (let looks = 0; looks < MOST_LOOKS; looks++)
        try {
          const look = await present(transaction ?? undefined, 'a look at a transaction')({ ...watched, keep })
          keep = look.keep
          sentence = look.status
          if (['included', 'final', 'failed'].includes(look.status)) return look
        } catch (error) {
          sentence = thrown(error)
        }
      return null
    },
  }
}
