import { membersOf } from '@svc/contract'
import type { Answer, Client } from '../http.ts'
import { openState } from '../service.ts'
import type { Subject } from '../subject.ts'
import type { Loss, Signed } from './family.ts'
import { createHeart } from './heart.ts'
import { createClock, STEP_MS } from './watcher.ts'

/** Fate of the calls that hand transactions to an endpoint: as the chain has it; answered, and passed on to nobody; or no answer at all. */
type Road = 'open' | 'swallowed' | 'broken'

/** A service that follows transactions at the pace of a scene, and sends again what no node holds. */
export interface Following {
  /** Hands a transaction to the service. */
  broadcast(signed: Signed): Promise<Answer>
  /** The transaction as the service tells integrators, and as it tells operators. */
  standing(txHash: string): Promise<{ readonly integrator: Answer; readonly operator: Answer }>
  /** Records of the audit log on what the service sent again by itself, newest first. */
  resends(): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Lets time pass, with a beat each few seconds, until something holds. @returns whether it came to hold */
  until(ms: number, holds: () => Promise<boolean>): Promise<boolean>
  road: Road
  /** Payloads of all calls so far that handed a transaction to an endpoint. */
  readonly payloads: readonly string[]
  /** Every answer so far, as text. */
  readonly answers: readonly string[]
  close(): Promise<void>
}

/** An endpoint beside the chain's own that answers in its own way. */
interface Beside {
  /** Both, in their order. */
  readonly endpoints: readonly string[]
  /** The one of them that answers in its own way. */
  readonly url: string
  fetch(request: Request): Promise<Response>
}

/**
 * Starts a service that follows transactions and sends them again, over a road to the chain that a test may cut.
 *
 * @param txHash of the transaction that it is about
 * @param beside a second endpoint. @default the chain's own is the only one
 */
export async function following(subject: Subject, { sends, taken }: Loss, txHash: string, beside?: Beside): Promise<Following> {
  const clock = createClock()
  const state = await openState()
  const payloads: string[] = []
  const answers: string[] = []
  let road: Road = 'open'
  const { pulse, beat } = createHeart()
  const fetching: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (beside && request.url.startsWith(beside.url)) return beside.fetch(request)
    const text = Buffer.from(await request.clone().arrayBuffer()).toString('latin1')
    if (!sends.test(`${request.url} ${text}`)) return subject.upstream.fetch(request)
    payloads.push(...payloadsOf(text, sends))
    if (road === 'broken') throw new TypeError('fetch failed: the connection was reset')
    const answer = road === 'swallowed' ? taken?.(txHash, text) : undefined
    return answer ? new Response(answer.body, { headers: { 'content-type': answer.type } }) : subject.upstream.fetch(request)
  }
  const endpoints = beside ? { endpoints: beside.endpoints } : {}
  const service = await subject.serve({ now: clock.now, state, pulse, fetch: fetching, ...endpoints })
  const client = await service.client()
  const operations = await service.operations()
  const asked = async (asking: Promise<Answer>): Promise<Answer> => {
    const answer = await asking
    answers.push(answer.text)
    return answer
  }
  const get = (from: Client, path: string) => asked(from.get(path))

  return {
    broadcast: ({ body }) => asked(client.post('/action/broadcast', body)),
    async standing(txHash) {
      return {
        integrator: await get(client, `/transaction/${txHash}`),
        operator: await get(operations, `/transactions/${encodeURIComponent(txHash)}`),
      }
    },
    async resends() {
      const { records } = membersOf((await get(operations, '/audit?action=resend')).json)
      return Array.isArray(records) ? records.map(membersOf) : []
    },
    async until(ms, holds) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.pass(STEP_MS)
        await beat()
        if (await holds()) return true
      }
      return false
    },
    get road() {
      return road
    },
    set road(next) {
      road = next
    },
    payloads,
    answers,
    async close() {
      await service.close()
      await state.store.close()
    },
  }
}

/** Contents of the calls of a request that hand over a transaction, without what is another one each time: the number of a JSON-RPC request. */
function payloadsOf(text: string, sends: RegExp): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return (Array.isArray(parsed) ? parsed : [parsed])
      .filter((each) => sends.test(JSON.stringify(each)))
      .map((each) => JSON.stringify(membersOf(each).params))
  } catch {
    return [text]
  }
}
