import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { root, run } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t from 'tap'

const readmeOf = (label: string) => readFileSync(`${root}plugins/${label}/README.md`, 'utf8')
const source = (label: string, file: string) => readFileSync(`${root}plugins/${label}/src/${file}.ts`, 'utf8')
const rowOf = (readme: string, first: string) => readme.split('\n').find((line) => line.startsWith(`| \`${first}\``))

/**
 * What the requests of each example are answered: staking-info, a position, reads of its own, and a craft. The hubs' example wallet is the one
 * that the console's examples are about, so it has a position.
 */
const promised: Record<string, readonly object[]> = {
  'hub-one': [
    // Community tax, and the commission of 5 % on what it leaves.
    { staking_reward_fee: 6.9, stake_deactivation_max_time: 30_240, min_stake_amount: '0.000001' },
    { staked_amount: 1000, stake_activation_amount: null },
    { unsigned_tx_hex: /^0a/, tx_auth_info_hex: /^0a/, unsigned_tx_hash_hex: /^[0-9a-f]{64}$/ },
  ],
  'hub-two': [
    { staking_reward_fee: 21.6, stake_deactivation_max_time: 20_220, min_stake_amount: '0.000001' },
    { staked_amount: 1000, stake_activation_amount: null },
    { unsigned_tx_hex: /^0a/, tx_auth_info_hex: /^0a/, unsigned_tx_hash_hex: /^[0-9a-f]{64}$/ },
  ],
  'evm-two': [
    { staking_reward_fee: 10, min_stake_amount: '1' },
    { staked_amount: 0, staking_objects: null },
    { serialized_tx_hex: /^0x/, payload: { value: '0x56bc75e2d63100001' } },
  ],
  'evm-three-liquid': [
    { staking_reward_fee: 19, stake_deactivation_max_time: 720, min_stake_amount: '100' },
    { staked_amount: 0, stake_activation_amount: null, staking_objects: [] },
    [],
    { serialized_tx_hex: /^0x/, payload: { value: '0x56bc75e2d63100001', chainId: '0x8f' } },
  ],
  'evm-vault': [
    // The fee of the vault's operator.
    { staking_reward_fee: 10, stake_activation_max_time: 0, max_stake_amount: /^199799\d\d\./ },
    { staked_amount: 0, stake_activation_amount: null, staking_objects: [] },
    { vaultAddress: '0xAC0F906E433d58FA868F936E8A43230473652885', apy: Number },
    { serialized_tx_hex: /^0x/, payload: { value: '0x8ac7230489e80001', chainId: '0x1' } },
  ],
  'svm-native': [
    { staking_reward_fee: 5, withdrawal_max_time: 0, min_stake_amount: '1' },
    { staked_amount: 0, stake_activation_amount: 0, staking_objects: [] },
    { unsigned_tx_hex: /^02/ },
  ],
  'svm-liquid': [
    { staking_reward_fee: 9.75, withdrawal_fee: 0.3, min_stake_amount: '0.003' },
    { staked_amount: 0, stake_activation_amount: null, staking_objects: null },
    { unsigned_tx_hex: /^01/ },
  ],
  'move-native': [
    { staking_reward_fee: 4, stake_deactivation_max_time: 0, min_stake_amount: '1' },
    { staked_amount: 0, stake_activation_amount: 0, staking_objects: [] },
    { unsigned_tx_b64: /^AAAD/ },
  ],
  'evm-three': [
    { staking_reward_fee: 10, min_stake_amount: '0.000000001' },
    { staked_amount: 0, staking_objects: [] },
    { serialized_tx_hex: /^0x/, payload: { value: '0x56bc75e2d63100001', chainId: '0x8f' } },
  ],
}

t.test("the example in a plugin's README runs where the sandbox was started", async (t) => {
  const folder = dirname((await sharedServer(t)).dataDir)
  for (const [label, answers] of Object.entries(promised)) {
    await t.test(`${label}: and answers what it promises`, async (t) => {
      const example = /```sh\n(.*?)```/s.exec(readmeOf(label))![1]!
      // Each answer ends without a line break; a line of its own makes them easy to tell apart.
      const { code, out, err } = await run('sh', ['-c', example.replaceAll('curl -s ', "curl -s -w '\\n' ")], { cwd: folder })
      t.same({ code, err }, { code: 0, err: '' })
      const lines = out.trim().split('\n')
      t.match(
        lines.map((line) => JSON.parse(line)),
        answers,
      )
    })
  }
})

t.test('the README of evm-three names every setting with its default, every action, and every error code', async (t) => {
  const readme = readmeOf('evm-three')
  const row = (first: string) => rowOf(readme, first)
  // What Monad's plugins share of their settings is the kit's.
  const declared = source('evm-three', 'network') + readFileSync(`${root}packages/kit-evm/src/monad/settings.ts`, 'utf8')
  const settings = [...declared.matchAll(/^ {2}(\w+): Type\b.*?(?=^ {2}\w+: Type|^\})/gms)]
  t.equal(settings.length, 4)
  for (const [text, name] of settings) t.match(row(name!), /default: '?([^',\s]+)/.exec(text)?.[1] ?? 'Required', name!)
  t.match(row('max_fee'), ` ${/maxFee: '([^']+)'/.exec(source('evm-three', 'index'))![1]} `)
  for (const action of ['delegate', 'undelegate', 'withdraw', 'claim-rewards', 'compound']) t.ok(row(action), action)
  const codes = [...source('evm-three', 'codes').matchAll(/^ {2}([A-Z_]+): \[/gm)].map((match) => match[1]!)
  t.ok(codes.length > 5)
  for (const code of codes) t.match(readme, `\`${code}\``, code)
})

for (const label of ['hub-one', 'hub-two']) {
  t.test(`the README of ${label} names every default of its own, and every action`, async (t) => {
    const row = (first: string) => rowOf(readmeOf(label), first)
    const index = source(label, 'index')
    const [, minimum, fallback, percent] = /minimum: '([^']+)', fallback: '([^']+)', percent: (\d+)/.exec(index)!
    const maxFee = /maxFee: '([^']+)'/.exec(index)![1]
    const defaults = { max_fee: maxFee, gas_price_minimum: minimum, gas_price_fallback: fallback, gas_price_percent: percent }
    for (const [name, value] of Object.entries(defaults)) t.match(row(name), ` ${value} `, name)
    for (const action of ['stake', 'unstake', 'claim-rewards']) t.match(row(action), '`pubkey`', action)
  })
}
