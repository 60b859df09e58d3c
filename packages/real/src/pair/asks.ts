import { until } from '../programs.ts'
import type { Service } from '../service.ts'
import type { Way } from './gate.ts'
import type { Case, FlatAnswer, Ground } from './ground.ts'

/** Question that both services are asked. */
export interface Ask {
  /** Start of a sentence. @example the balance */
  readonly name: string
  on(service: Service): Promise<FlatAnswer>
  /** @param way to the node that is not well @returns what is not as it is right; or null */
  wrong(right: FlatAnswer, told: FlatAnswer, way: Way): Promise<string | null>
}

/** Code with which a status says that it takes the word of two, and one of them says itself that it cannot know. */
const ONE_VOICE = 'ONE_VOICE'
/** Members of a status that take the word of two. */
const OF_TWO: ReadonlySet<string> = new Set(['status', 'finality', 'certainty'])
/** States of what is in a block. */
const PLACED: ReadonlySet<string> = new Set(['included', 'final'])
/** Members of a status that are compared: where the transaction stands, what it did, and why. */
const OF_STATUS = /^(status|finality|certainty|block|fee|moves|object_ids|replaced_by|error\.code|http|code)\b/

/** Questions of a status until the service has looked at what it follows. */
const FOLLOWED_SECONDS = 30

/** Makes every question about a wallet that moves nothing, and those of what has landed already. */
export function asksOf<Wallet>(
  { path, network, address, wish, opinion }: Ground<Wallet>,
  { wallet, landed }: Case<Wallet>,
): readonly Ask[] {
  const get = (route: string) => (service: Service) => service.ask('GET', `${path}/${route}`, { network })
  const post = (route: string, body: unknown) => (service: Service) => service.ask('POST', `${path}/${route}`, { body, network })
  const status = get(`transaction/${landed.hash}`)
  return [
    {
      name: 'a craft',
      on: async (service) => flat(await post('action/stake', wish(wallet))(service)),
      wrong: async (right, told, way) => difference((await opinion?.(right, told, way)) ?? right, told),
    },
    { name: 'the balance', on: async (service) => flat(await get(`staking-balance/${address(wallet)}`)(service)), wrong: difference },
    { name: 'the status of a landed transaction', on: async (service) => flat(await status(service)), wrong: differenceOfStatus },
    {
      name: 'a broadcast of what has landed',
      on: async (service) => flat(await post('action/broadcast', landed.body)(service)),
      wrong: difference,
    },
    {
      // That broadcast has made it one.
      name: 'the status of a landed transaction that is followed',
      on: (service) =>
        until('a look', FOLLOWED_SECONDS, async () => {
          const answer = flat(await status(service))
          return PLACED.has(answer.get('status') ?? '') && answer
        }).catch(async () => flat(await status(service))),
      wrong: differenceOfStatus,
    },
  ]
}

function flat({ status, body }: { readonly status: number; readonly body: unknown }): FlatAnswer {
  const members: [string, string][] = [['http', String(status)]]
  const visit = (place: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) members.push([place, String(value)])
    else for (const [name, member] of Object.entries(value)) visit(place === '' ? name : `${place}.${name}`, member)
  }
  visit('', body)
  return new Map(members)
}

async function difference(right: FlatAnswer, told: FlatAnswer): Promise<string | null> {
  const place = [...new Set([...right.keys(), ...told.keys()])].find((each) => right.get(each) !== told.get(each))
  return place === undefined ? null : `${place} is ${told.get(place)}, and not ${right.get(place)}; ${JSON.stringify([...told])}`
}

/** Whatever the other endpoint says of itself: that a landed transaction is final takes the word of two. */
async function differenceOfStatus(right: FlatAnswer, told: FlatAnswer): Promise<string | null> {
  const isOneVoice = told.get('status') !== 'final' && told.get('error.code') === ONE_VOICE
  const compared = (each: FlatAnswer) =>
    new Map([...each].filter(([place]) => OF_STATUS.test(place) && !OF_TWO.has(place) && !(isOneVoice && place.startsWith('error'))))
  const wrong = await difference(compared(right), compared(told))
  if (wrong !== null) return wrong
  return PLACED.has(told.get('status') ?? '') ? null : `status is ${told.get('status')}; ${JSON.stringify([...told])}`
}
