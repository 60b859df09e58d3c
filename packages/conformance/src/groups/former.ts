import { createClient, MismatchError, VerifiedTransaction } from '@svc/client'
import { membersOf } from '@svc/contract'
import { type PinnedTerms, resolveNetwork, termsOf } from '@svc/core/plugins'
import type { Intent } from '@svc/verify/intent'
import { count } from '../budget.ts'
import type { Check } from '../check.ts'
import type { AnyContext } from '../direct.ts'
import type { Answer } from '../http.ts'
import { readPosition } from '../position.ts'
import type { Service } from '../service.ts'
import type { Subject } from '../subject.ts'
import { textual } from '../textual.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Tests a change of the settings' validator (pool, vault), with the previous one named as a former one: positions are shown, with the former one's name and in as many
 * waves; exits and claims work for a request that names it, and a refusal of one that does not says so; nothing is staked there; the caller's own check accepts an exit
 * where the former one is pinned, and no other.
 */
export async function former(subject: Subject, check: Check): Promise<void> {
  const { options, protocol, actions } = subject
  const { former: test } = options
  if (test === undefined) {
    check.ok(
      !protocol.condition,
      'there is a test of a change of what the settings stake with',
      'the option former: how the settings change, or a sentence on why no position depends on them',
    )
    return
  }
  if (typeof test === 'string') {
    check.note(`no position depends on what the settings stake with: ${test}`)
    return
  }
  const change = await test.change()
  const choosing = change.choice === undefined ? [] : actions.filter((action) => isChoosing(subject, action, change.choice ?? {}))
  if (change.choice !== undefined) check.ok(choosing.length > 0, 'there is an action that names a former one', Object.keys(change.choice))
  const leaving = change.choice === undefined ? (test.leaving ?? []) : choosing
  const staking = actions.filter((action) => !leaving.includes(action))
  // One after the other: setting one up moves the chain on.
  const ready = []
  for (const action of leaving) ready.push({ action, ...(await subject.freshExample(action)) })
  const stakes = []
  for (const action of staking) {
    const { player, body } = await subject.freshExample(action)
    const { json } = await subject.client.post(`/action/${action}`, body)
    stakes.push({ action, player, body, signed: await subject.family.sign(json, player.wallet) })
  }
  const before = await Promise.all(ready.map(({ player }) => player.position()))
  const namesBefore = await Promise.all(ready.map(({ player }) => unitNames(subject, subject.direct, player.wallet.address)))

  const settings = { ...change.settings, ...change.former }
  const service = await subject.serve({ settings })
  try {
    const client = await service.client()
    for (const [index, { action, player, body }] of ready.entries()) {
      const was = before[index]
      if (was === undefined) continue
      const where = `${action} after the change`
      const view = await balanceOf(subject, service, check, player.wallet.address)
      if (!check.equal(view.status, 200, `${where}: the position is shown`)) continue
      const is = readPosition(view.json, protocol.kit.decimals)
      check.equal(
        [is.staked, is.activating, is.deactivating, is.withdrawing, is.rewards === '0'],
        [was.staked, was.activating, was.deactivating, was.withdrawing, was.rewards === '0'],
        `${where}: all of the position is shown`,
      )
      const direct = { ...subject.direct, network: resolveNetwork<AnyContext['network']>(protocol, placeOf(subject, settings)) }
      check.equal(
        await unitNames(subject, direct, player.wallet.address),
        namesBefore[index],
        `${where}: each unit has the identifier and the name that it had, so that nothing is told of it once more`,
      )
      if (change.choice !== undefined) {
        namesFormer(subject, check, where, view, { choice: change.choice, settings })
        const bare = await client.post(`/action/${action}`, body)
        const isNamed = bare.status === 400 && Object.values(change.choice).every((each) => bare.text.includes(String(each)))
        check.ok(isNamed, `${where}: a request that does not name the former one is told where it lies`, bare.text)
      }
      const answer = await client.post(`/action/${action}`, { ...body, ...change.choice })
      if (!check.equal(answer.status, 200, `${where}: it is crafted for whoever names the former one`)) {
        check.fail(`${where}: the refusal`, answer.text)
        continue
      }
      if (change.choice !== undefined)
        await pinned(subject, service, check, action, { body, choice: change.choice, settings, former: change.former })
      const prepared = await client.post('/action/prepare', await subject.family.sign(answer.json, player.wallet))
      check.equal(prepared.status, 200, `${where}: it is assembled`)
      const receipt = await client.post('/action/broadcast', prepared.json)
      if (!check.equal(receipt.status, 200, `${where}: it is sent`)) continue
      await subject.family.landed(subject.world.rpcUrl, String(membersOf(receipt.json).tx_hash))
      const after = await client.get(`/staking-balance/${player.wallet.address}`)
      check.ok(after.text !== view.text, `${where}: the position has moved`, after.text)
    }
    for (const { action, body, signed } of stakes) {
      if (change.choice !== undefined) {
        const answer = await client.post(`/action/${action}`, { ...body, ...change.choice })
        check.ok([400, 422].includes(answer.status), `${action} with a former one is refused`, answer.text)
        // What goes to the one that was present is, after the change, a call that no request leads to.
        const passage = await client.post('/action/prepare', signed)
        check.equal([passage.status, passage.code], [400, 'TRANSACTION_HIDDEN_CALL'], `${action} with a former one is not passed on`)
      }
      const fresh = await client.post(`/action/${action}`, body)
      if (options.examples[action]?.setup !== undefined) {
        // What restakes rewards has none with the present one yet.
        const isTold = Object.values(change.choice ?? {}).every((each) => fresh.text.includes(String(each)))
        check.ok(
          change.choice === undefined || (fresh.status === 400 && isTold),
          `${action} says with which one the rewards are`,
          fresh.text,
        )
        continue
      }
      check.equal(fresh.status, 200, `${action} goes to the present one`)
    }
    check.tried(ready.length + stakes.length, 'actions after a change')
  } finally {
    await service.close()
  }
}

/** Lists the units of a position by the identifiers that callers see, and the names by which the host knows them again. */
async function unitNames({ protocol, kit }: Subject, ctx: AnyContext, address: string): Promise<readonly string[]> {
  const { objects } = await protocol.balance(ctx, kit.address(address))
  return (objects ?? []).map(({ id, key = id }) => `${id} as ${key}`).sort()
}

function placeOf({ world }: Subject, settings: Members) {
  return { chainId: world.chainId, name: 'conformance', path: 'networks', settings: { ...world.settings, ...settings } }
}

function isChoosing({ protocol }: Subject, action: string, choice: Members): boolean {
  return Object.keys(choice).every((name) => Object.hasOwn(protocol.actions[action]?.body ?? {}, name))
}

/** Reads the position in no more waves than before the change. */
async function balanceOf({ upstream, options }: Subject, service: Service, check: Check, address: string): Promise<Answer> {
  const client = await service.client()
  const path = `/staking-balance/${address}`
  // What is remembered of a chain costs the first reading a wave.
  await client.get(path)
  await upstream.idle()
  const { result, usage } = await upstream.measure(() => client.get(path))
  const most = options.budget?.balance ?? 1
  const cost = `${count(usage.waves, 'wave')} in ${count(usage.calls, 'call')}`
  check.ok(usage.waves <= most, `with a former one staking-balance takes ${count(most, 'wave')} at most`, cost)
  check.note(`with a former one staking-balance takes ${cost}`)
  return result
}

function namesFormer(
  subject: Subject,
  check: Check,
  where: string,
  { json, text }: Answer,
  { choice, settings: changed }: { readonly choice: Members; readonly settings: Members },
): void {
  const { by_validator: parts } = membersOf(json)
  const all = (Array.isArray(parts) ? parts : []).map(membersOf)
  const own = all.filter(({ former: is }) => is === true)
  const { protocol } = subject
  const [present, ...others] = protocol.validators?.(resolveNetwork(protocol, placeOf(subject, changed))) ?? []
  check.ok(
    all.every(({ validator_address: name, former: is }) => (is === true ? others.includes(String(name)) : name === present)),
    `${where}: the parts have the names by which the plugin lists the validators of its settings, so that an operator hears of what lies with others`,
    [present, ...others, text],
  )
  check.ok(
    own.some(({ validator_address: name }) => Object.values(choice).map(String).includes(String(name))),
    `${where}: the position names the former one`,
    text,
  )
}

/** The caller's own check: an exit from a former one that is pinned is taken, and one from another is refused. */
async function pinned(
  subject: Subject,
  service: Service,
  check: Check,
  action: string,
  { body, choice, settings, former: names }: { body: Members; choice: Members; settings: Members; former: Members },
): Promise<void> {
  const { protocol } = subject
  const { intent } = protocol
  if (!intent?.family.signing) return
  const network = resolveNetwork(protocol, placeOf(subject, settings))
  const terms = termsOf(protocol, network)
  const attempt = async (agreed: PinnedTerms) => {
    const client = createClient({
      trust: {
        version: 1,
        baseUrl: service.url,
        account: 'conformance',
        keys: service.signer.responses.keys.map(({ jwk }) => jwk),
        protocols: [{ path: protocol.prefix, networks: [{ default: true, terms: agreed }] }],
      },
      apiKey: await service.key(),
      fetch,
      protocols: { it: intent as Intent },
      retries: 0,
    })
    return client.it.craft(action, textual(intent, action, { ...body, ...choice }), {}).catch((error: unknown) => error)
  }
  const acceptance = await attempt(terms)
  check.ok(acceptance instanceof VerifiedTransaction, `${action}: the caller takes it where the former one is pinned`, acceptance)
  const without = Object.fromEntries(Object.entries(terms).filter(([name]) => !Object.hasOwn(names, name))) as PinnedTerms
  const rejection = await attempt(without)
  check.ok(rejection instanceof MismatchError, `${action}: the caller refuses it where the former one is not pinned`, rejection)
}
