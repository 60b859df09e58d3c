import { membersOf } from '@svc/contract'
import { type Check, shown } from '../check.ts'
import { garble } from '../garble.ts'
import type { Answer, Client } from '../http.ts'
import { remembering } from '../lies/endpoint.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import type { Interference } from '../upstream.ts'

/** An endpoint that exists only in the interference; its address must never be seen by a caller. */
const DEAD = 'http://dead.invalid/secret-of-the-operator'
const PATIENCE_MS = 1000
/** An endpoint that answers as the chain did some minutes ago. */
const BEHIND = 'http://behind.invalid'
/** Seconds by which it is behind: some blocks of every chain, and less than what a network bears. */
const BEHIND_SECONDS = 240
/** Questions after which an endpoint should be known to be behind: it is asked in the background. */
const MOST_ASKED = 50

/** Lines of the log that say of an endpoint whether it is behind. */
const HEADS = /is behind another one|has caught up with the others/

const html = () => new Response('<html><body>502 Bad Gateway</body></html>', { status: 200, headers: { 'content-type': 'text/html' } })
const refuseConnection = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
const FAILURES: readonly (readonly [string, () => Promise<Response>])[] = [
  ['refuses connections', refuseConnection],
  ['answers 500', async () => new Response('{}', { status: 500 })],
  ['answers 429', async () => new Response('{}', { status: 429, headers: { 'retry-after': '1' } })],
  ['refuses its credentials', async () => new Response('{}', { status: 401 })],
  ['answers a page of HTML', async () => html()],
  ['answers nothing', async () => new Response('', { status: 200 })],
]

/** Tests endpoints that fail: the next one is asked, refusals are 502 or 504 and never a 500, and no message contains an endpoint's address. */
export async function resilience(subject: Subject, check: Check): Promise<void> {
  const { upstream, world } = subject
  const texts: string[] = []
  try {
    await failover(subject, check, texts)
    await outage(subject, check, texts)
    await nonsense(subject, check, texts)
    await behind(subject, check)
    const secrets = [DEAD, 'dead.invalid', 'secret-of-the-operator', world.rpcUrl, new URL(world.rpcUrl).host]
    const leaking = texts.filter((text) => secrets.some((secret) => text.includes(secret)))
    check.equal(leaking, [], 'no answer shows the address of an endpoint')
  } finally {
    upstream.interfere(null)
    await world.fault({ kind: 'none' })
  }
}

interface Request {
  readonly name: string
  send(client: Client): Promise<Answer>
}

/** Everything that has to ask the chain and changes nothing: the balance, and a craft of each action. */
async function requests({ actions, example, world, family }: Subject): Promise<Request[]> {
  const wallet = world.freshWallet(family)
  const probes: Request[] = [{ name: 'staking-balance', send: (client) => client.get(`/staking-balance/${wallet.address}`) }]
  for (const action of actions) {
    const { body } = await example(action)
    probes.push({ name: action, send: (client) => client.post(`/action/${action}`, body) })
  }
  return probes
}

async function failover(subject: Subject, check: Check, texts: string[]): Promise<void> {
  const all = await requests(subject)
  const healthy = remembering(subject)
  const began = new Date()
  for (const [how, fail] of FAILURES) {
    const service = await subject.serve({
      endpoints: [DEAD, subject.world.rpcUrl],
      fetch: (input, init) => (String(input).startsWith(DEAD) ? fail() : healthy(input, init)),
      now: () => began,
    })
    try {
      const client = await service.client()
      for (const request of all) {
        const answer = await request.send(client)
        texts.push(answer.text)
        check.equal(answer.status, 200, `${request.name} is answered when the first endpoint ${how}`)
      }
    } finally {
      await service.close()
    }
  }
}

/** The chain's own door closes, and opens again. */
async function outage(subject: Subject, check: Check, texts: string[]): Promise<void> {
  const { upstream, world, family } = subject
  const action = present(subject.actions[0], 'an action')
  const patience = subject.options.patience ?? PATIENCE_MS
  const all = await requests(subject)
  const { player, body } = await subject.freshExample(action)
  const service = await subject.serve({ endpoints: [DEAD, world.rpcUrl] })
  // By itself: of two endpoints it may be the other one that is asked last, and then it is not slowness that the caller is told of. Nothing else is asked of a service
  // that waits so short: on a busy machine an answer may take as long.
  const hasty = { timeout_ms: patience, deadline_ms: 2 * patience }
  const slow = await subject.serve({ endpoints: [world.rpcUrl], upstream: hasty })
  try {
    upstream.interfere(onDead(refuseConnection))
    const client = await service.client()
    check.equal((await client.get('/staking-info')).status, 200, 'staking-info is warm')
    const crafted = await client.post(`/action/${action}`, body)
    const signatures = await family.sign(crafted.json, player.wallet)
    const signed = (await client.post('/action/prepare', signatures)).json
    const broadcast: Request = { name: 'broadcast', send: (caller) => caller.post('/action/broadcast', signed) }

    const waiting = await slow.client()
    const expect = async (request: Request, status: number, when: string, caller = client) => {
      const answer = await request.send(caller)
      texts.push(answer.text)
      check.equal(answer.status, status, `${request.name} answers ${status} ${when}`)
      return answer
    }
    for (const kind of ['drop', 'error'] as const) {
      await world.fault({ kind })
      for (const request of [...all, broadcast]) {
        const { code, sentence } = await expect(request, 502, `when every endpoint fails (${kind})`)
        check.ok(code !== undefined && sentence.length > 10, `${request.name} says so in a sentence (${kind})`, sentence)
      }
      await expect({ name: 'networks', send: (caller) => caller.get('/networks') }, 200, `all the same (${kind})`)
      await expect({ name: 'staking-info', send: (caller) => caller.get('/staking-info') }, 200, `all the same (${kind})`)
    }
    await world.fault({ kind: 'delay', ms: 10 * patience })
    await Promise.all(all.map((request) => expect(request, 504, 'when the chain is too slow', waiting)))
    await world.fault({ kind: 'none' })
    for (const request of all) await expect(request, 200, 'when the chain is back')

    const first = await expect(broadcast, 200, 'when the chain is back')
    const again = await expect(broadcast, 200, 'when it is repeated')
    check.equal(again.json, first.json, 'a repeated broadcast answers the same hash')
    await family.landed(world.rpcUrl, String(membersOf(first.json).tx_hash))
    const late = await expect(broadcast, 200, 'when the transaction is in a block already')
    check.equal(late.json, first.json, 'and so does one after the transaction has landed')
  } finally {
    await world.fault({ kind: 'none' })
    upstream.interfere(null)
    await slow.close()
    await service.close()
  }
}

/**
 * An endpoint that stays where the chain was some minutes ago, and whose answers are sound, beside one that goes on: whichever of the two stands first, callers
 * are told what the one that goes on says.
 */
async function behind(subject: Subject, check: Check): Promise<void> {
  const { player } = await subject.freshExample(present(subject.actions[0], 'an action'))
  if (!subject.kit.agrees)
    return check.note(
      'the client does not say which exchanges are readings (`agrees`), so that nobody is asked in the background how far an endpoint is',
    )
  const heads: Date[] = []
  const ctx = subject.connect([], heads)
  await subject.protocol.balance(ctx, subject.kit.address(player.wallet.address)).finally(() => subject.kit.close?.(ctx.client))
  if (heads.length === 0)
    return check.note('the family tells no head (`send.saw`), so that an endpoint which is behind another one is not asked last')
  for (const action of subject.actions) if (await behindSince(subject, check, action)) return
  check.ok(false, 'one of the actions changes the position')
}

/** @returns false for an action that does not change the position: with that, nothing is shown */
async function behindSince(subject: Subject, check: Check, action: string): Promise<boolean> {
  const { upstream, world, family } = subject
  const { player, body } = await subject.freshExample(action)
  const path = `/staking-balance/${player.wallet.address}`
  const old = remembering(subject)
  const fetched: typeof fetch = (input, init) => {
    const address = String(input)
    return address.startsWith(BEHIND) ? old(address.replace(BEHIND, world.rpcUrl), init) : upstream.fetch(input, init)
  }
  const ask = async (endpoints: readonly string[], aheadMs: number, which?: string) => {
    const service = await subject.serve({ endpoints, fetch: fetched, now: () => new Date(Date.now() + aheadMs) })
    try {
      const client = await service.client()
      if (which === undefined) return await client.get(path)
      const isTold = () => /is behind another one/.test(String(service.log.findLast(({ msg }) => HEADS.test(String(msg)))?.msg))
      for (let requests = 0; !isTold() && requests < MOST_ASKED; requests++) {
        await client.get(path)
        await upstream.idle()
      }
      check.ok(isTold(), `the ${which} endpoint is found to be behind`)
      return await client.get(path)
    } finally {
      await service.close()
    }
  }
  const before = await ask([BEHIND], 0)
  const client = await subject.service.client()
  const crafted = await client.post(`/action/${action}`, body)
  const signed = (await client.post('/action/prepare', await family.sign(crafted.json, player.wallet))).json
  const sent = await client.post('/action/broadcast', signed)
  await family.landed(world.rpcUrl, String(membersOf(sent.json).tx_hash))
  await world.advance({ seconds: BEHIND_SECONDS })
  const after = await ask([world.rpcUrl], BEHIND_SECONDS * 1000)
  if (after.status !== 200 || after.text === before.text) return false
  for (const [which, ...endpoints] of [
    ['first', BEHIND, world.rpcUrl],
    ['second', world.rpcUrl, BEHIND],
  ] as const) {
    const answer = await ask(endpoints, BEHIND_SECONDS * 1000, which)
    check.equal(answer.text, after.text, `the position is the present one with the ${which} endpoint behind`)
  }
  return true
}

/** An endpoint that answers JSON which is no answer: the plugin and its kit read it, so it is they who must not break. */
async function nonsense(subject: Subject, check: Check, texts: string[]): Promise<void> {
  const { upstream, family, world } = subject
  const good = remembering(subject)
  const began = new Date()
  let garbling: ReturnType<typeof garble> | null = null
  // One service for all, so that what one bad answer does to a client is felt by the next request.
  const service = await subject.serve({
    endpoints: [world.rpcUrl],
    fetch: async (input, init) => {
      // What is asked now is answered so, however long the chain takes.
      const how = garbling
      const answer = await good(input, init)
      return how ? how(answer) : answer
    },
    now: () => began,
  })
  try {
    const client = await service.client()
    check.equal((await client.get('/staking-info')).status, 200, 'staking-info is warm')
    await upstream.idle()
    for (const request of await requests(subject)) {
      let kinds = 1
      for (let kind = 0; kind < kinds; kind++) {
        let sent = ''
        garbling = garble(family, kind, (text, of) => {
          sent = text
          kinds = Math.max(kinds, of)
        })
        const answer = await request.send(client)
        garbling = null
        texts.push(answer.text)
        const isGatewayError = [502, 503, 504].includes(answer.status)
        check.ok(
          isGatewayError,
          `${request.name} answers 502 when the chain answers ${shown(sent, 60)}`,
          `${answer.status} ${shown(answer.text)}`,
        )
      }
      const answer = await request.send(client)
      check.equal(answer.status, 200, `${request.name} works again after all that`)
    }
  } finally {
    await service.close()
  }
}

function onDead(fail: () => Promise<Response>): Interference {
  return ({ url }) => (url.startsWith(DEAD) ? fail() : null)
}
