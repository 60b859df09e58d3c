import type { AnyKit } from '@svc/contract/host'
import type { PinnedTerms } from '@svc/core/plugins'
import type { Intent } from '@svc/verify/intent'
import type { Exchange, Seat } from '../caller.ts'
import { kitWith, onKit } from '../direct.ts'
import type { Client } from '../http.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import { seatAt } from './seat.ts'

type Assembled = Awaited<ReturnType<AnyKit['assemble']>>

/** Trick that the thief plays with the next answers. */
export type Trick =
  /** His kit writes it, from the honest one. */
  | { readonly forge: (honest: unknown) => unknown }
  /** His kit hands out what it once wrote for somebody else. */
  | { readonly instead: Assembled }
  /** His proxy answers what his service once answered. */
  | { readonly replay: Exchange }

/** A service that belongs to a thief: its kit crafts what he wants, its own check finds everything in order, its answers are signed with its own keys. */
export interface Thief {
  readonly seat: Seat
  /** One who asks it without a check. */
  readonly client: Client
  /** Returns the last craft as it was written, before anybody forged it. */
  assembled(): Assembled
  /** The last craft that was asked over the road of the seat. */
  exchange(): Exchange
  /** Plays a trick while something runs. */
  during<T>(trick: Trick, run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Starts the thief's service, and a caller who checks its answers. The caller of this function closes it. @param terms that the caller pinned while the service was honest */
export async function openThief(subject: Subject, intent: Intent, terms: PinnedTerms): Promise<Thief> {
  const { plugin, kit, serve } = subject
  let trick: Trick | undefined
  let honest: Assembled | undefined
  let exchange: Exchange | undefined
  const evil = kitWith(kit, {
    async assemble(...parameters) {
      honest = await kit.assemble(...parameters)
      if (trick && 'instead' in trick) return { ...trick.instead, terms: honest.terms }
      return trick && 'forge' in trick ? { ...honest, unsigned: trick.forge(honest.unsigned) as never } : honest
    },
    // Whatever it is about to answer, it looks at what it should have answered.
    decode: (_unsigned, ...rest) => kit.decode(present(honest, 'a craft').unsigned as never, ...rest),
    stated: (pledge) => kit.stated?.(trick && 'instead' in trick ? trick.instead.terms : pledge) ?? {},
  })
  const service = await serve({ plugin: onKit(plugin, evil) })
  const road: typeof fetch = async (input, init) => {
    const sent = new Request(input, init)
    const request = { headers: Object.fromEntries(sent.headers), body: await sent.clone().text() }
    const answer = trick && 'replay' in trick ? responseOf(trick.replay) : await fetch(sent)
    const response = { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.clone().text() }
    if (/\/action\/(?!prepare$|broadcast$)[^/]+$/.test(new URL(sent.url).pathname)) exchange = { request, response }
    return answer
  }
  return {
    seat: await seatAt(subject, service, intent, terms, road),
    client: await service.client(),
    assembled: () => present(honest, 'a craft'),
    exchange: () => present(exchange, 'an answer to a craft'),
    async during(played, run) {
      trick = played
      try {
        return await run()
      } finally {
        trick = undefined
      }
    },
    close: () => service.close(),
  }
}

function responseOf({ response: { status, headers, body } }: Exchange): Response {
  return new Response(body, { status, headers })
}
