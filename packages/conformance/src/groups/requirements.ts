import { membersOf } from '@svc/contract'
import { callsOf } from '@svc/contract/host'
import { requirementsOf } from '@svc/core/plugins'
import type { Check } from '../check.ts'
import { without } from '../lacking.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import { consequencesOf } from './consequences.ts'

/**
 * Tests that `svc check` finds every cause of failure. Each call that the plugin makes must belong to a declared requirement for a node, which is found missing where the
 * node, or something in front of it, blocks the call: otherwise `svc check` would pass a node on which the plugin fails. Where a request fails without a call, one of the
 * requirements found missing is `needed`. A declared call that nothing here makes is noted.
 */
export async function requirements(subject: Subject, check: Check): Promise<void> {
  const { protocol, upstream } = subject
  const declared = new Set(requirementsOf(protocol).flatMap(({ calls }) => calls))
  if (declared.size === 0) {
    check.note('nothing is declared that a node must have, so that `svc check` asks endpoints for nothing but their chain')
    return
  }
  await useEverything(subject)
  // Of the groups before this one as well: they meet states of the chain that an example does not.
  const callKinds = new Set(upstream.calls.flatMap(({ url, body }) => callsOf(url, body)))
  check.tried(callKinds.size, 'kinds of calls')
  for (const call of [...callKinds].sort())
    check.ok(declared.has(call), `${call} is among the calls of a requirement`, 'add it to the requirement that it rests on')
  const consequences = await consequencesOf(subject)
  const spared: string[] = []
  for (const call of [...callKinds].filter((each) => declared.has(each)).sort()) {
    const met = await subject.probe(without(call, fetch))
    // What every wave asks is missed by all: then nothing at all is told as met.
    const missed =
      met.some(({ requirement: { calls }, state }) => state === 'missing' && calls.includes(call)) ||
      met.every(({ state }) => state !== 'met')
    const unmet = met.filter(({ state }) => state !== 'met').map(({ requirement: { name }, state, said }) => `${name}: ${state}, ${said}`)
    check.ok(missed, `a node that does not serve ${call} is found out by a requirement that names it`, unmet)
    if (typeof consequences === 'string') continue
    const { failures, isInfoShort } = await consequences.lacking(call)
    const needed = met.flatMap(({ requirement: { name, weight }, state }) => (state !== 'met' && weight === 'needed' ? [name] : []))
    check.ok(
      failures.length === 0 || needed.length > 0,
      `what fails on a node that does not serve ${call} is told as needed, and not as something that is less`,
      [...failures, ...unmet],
    )
    if (failures.length === 0 && !isInfoShort && needed.length > 0) spared.push(`${call} (${needed.join(', ')})`)
  }
  if (typeof consequences === 'string')
    check.note(`what fails on a node that lacks a call is not compared with what is told: ${consequences}`)
  else {
    check.tried(consequences.count, 'requests on a node that lacks a call')
    if (spared.length > 0) check.note(`told as needed, and nothing that is asked here failed without it: ${spared.join('; ')}`)
  }
  const idle = [...declared].filter((call) => !callKinds.has(call))
  if (idle.length > 0) check.note(`declared, and not made here: ${idle.sort().join(', ')}`)
}

/** Asks for each thing once: terms, condition, a balance, every craft, a broadcast and where it stands. */
async function useEverything({ protocol, client, actions, example, freshExample, family, connect }: Subject): Promise<void> {
  const ctx = connect()
  try {
    await protocol.info(ctx)
    await protocol.condition?.(ctx)
  } finally {
    await protocol.kit.close?.(ctx.client)
  }
  for (const action of actions) {
    const { player, body } = await example(action)
    await client.get(`/staking-balance/${player.wallet.address}`)
    await client.post(`/action/${action}`, body)
  }
  const action = present(actions[0], 'an action')
  const { player, body } = await freshExample(action)
  const crafted = await client.post(`/action/${action}`, body)
  const prepared = await client.post('/action/prepare', await family.sign(crafted.json, player.wallet))
  const sent = await client.post('/action/broadcast', prepared.json)
  if (protocol.kit.life) await client.get(`/transaction/${String(membersOf(sent.json).tx_hash)}`)
}
