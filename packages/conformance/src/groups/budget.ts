import { checkCraft, count } from '../budget.ts'
import type { Check } from '../check.ts'
import type { Subject } from '../subject.ts'

/** Tests how often a request waits for the chain. Answers are held back meanwhile, so that the count does not depend on the speed of a local chain. */
export async function budget(subject: Subject, check: Check): Promise<void> {
  const { upstream, client, family, world, actions, options, protocol } = subject
  const limits = options.budget ?? {}
  await client.get('/staking-info')
  await upstream.idle()

  for (const path of ['/networks', '/staking-info']) {
    const { usage } = await upstream.measure(() => client.get(path))
    check.equal(usage.calls, 0, `${path} asks the chain nothing`)
  }
  const most = limits.balance ?? 1
  const readers = [world.freshWallet(family).address]
  for (const action of actions) readers.push((await subject.example(action)).player.wallet.address)
  for (const address of readers) {
    const { result, usage } = await upstream.measure(() => client.get(`/staking-balance/${address}`))
    check.equal(result.status, 200, 'staking-balance answers')
    check.ok(
      usage.waves <= most,
      `staking-balance takes ${count(most, 'wave')} at most`,
      `${count(usage.waves, 'wave')} in ${count(usage.calls, 'call')}`,
    )
    check.ok(usage.calls > 0, 'and asks the chain, since an old balance is a wrong transaction')
  }
  for (const action of actions) {
    const { player, body } = await subject.example(action)
    const { result, usage } = await upstream.measure(() => client.post(`/action/${action}`, body))
    if (!check.ok(result.status === 200, `${action} is crafted`, `${result.status} ${result.text}`)) continue
    checkCraft(check, limits, protocol, action, usage)
    const signatures = await family.sign(result.json, player.wallet)
    const prepared = await upstream.measure(() => client.post('/action/prepare', signatures))
    check.equal(prepared.result.status, 200, `${action} is prepared`)
    check.ok(
      prepared.usage.calls <= (limits.prepare ?? 0),
      `prepare makes ${count(limits.prepare ?? 0, 'call')} at most`,
      prepared.usage.calls,
    )
  }
}
