import { membersOf, type Status } from '@svc/contract'
import { shown } from '../check.ts'
import type { Client } from '../http.ts'
import type { Service } from '../service.ts'
import type { Scene, Stage } from './family.ts'
import { flawIn } from './shape.ts'
import { type Clock, STEP_MS } from './watcher.ts'

/** Times that the service is asked before it is taken for not telling. */
const MOST = 20

/** What the service answered of a transaction. */
export interface Told {
  /** null for a lookup that could not be made. */
  readonly status: Status | null
  readonly said: string
  /** What of it does not fit the schema, or null. */
  readonly flaw: string | null
  readonly json: Readonly<Record<string, unknown>>
}

/** A caller who follows transactions by the running service alone. */
export interface Follower {
  /** Lets the service learn of a transaction as the scene says. @throws when it refuses */
  learn(scene: Pick<Scene, 'given'>, stage: Stage): Promise<void>
  /** Asks while the service's clock passes, until one of these is told, and proven. */
  until(txHash: string, told: readonly Status[]): Promise<readonly Told[]>
}

/** @param clock of the service */
export async function follow(service: Service, clock: Clock): Promise<Follower> {
  const client = await service.client()
  return {
    async learn({ given }, { body, txHash }) {
      const answer = await (given === 'broadcast'
        ? client.post('/action/broadcast', body)
        : given === 'tracked'
          ? client.post('/transaction/track', body)
          : client.get(`/transaction/${txHash}`))
      if (answer.status !== 200) throw new TypeError(`${given}: the service answered ${answer.status} ${shown(answer.text)}`)
      // The first look, at what can be seen now.
      await ask(client, txHash)
    },
    async until(txHash, told) {
      const answers: Told[] = []
      while (answers.length < MOST) {
        const answer = await ask(client, txHash)
        answers.push(answer)
        if (answer.status !== null && told.includes(answer.status) && settled(answer)) break
        clock.pass(STEP_MS)
      }
      return answers
    },
  }
}

/** What is told on no proof is no end: but what can still land is never proven for good. */
function settled({ status, json }: Told): boolean {
  return status === 'pending' || status === 'unknown' || json.certainty === 'proven'
}

async function ask(client: Client, txHash: string): Promise<Told> {
  const answer = await client.get(`/transaction/${txHash}`)
  const json = membersOf(answer.json)
  if (answer.status !== 200) return { status: null, said: `${answer.status} ${shown(answer.text)}`, flaw: null, json }
  const status = String(json.status) as Status
  return { status, said: `${status} (${json.finality}, ${json.certainty})`, flaw: flawIn(json, txHash), json }
}
