import { readFileSync } from 'node:fs'
import t from 'tap'
import { root, run, startServer, temporaryFolder } from './support/processes.ts'

const plugin = `${root}plugins/evm-three/`
const readme = readFileSync(`${plugin}README.md`, 'utf8')
const row = (first: string) => readme.split('\n').find((line) => line.startsWith(`| \`${first}\``))

t.test(
  "the example in the plugin's README runs where the sandbox was started, and answers what it promises",
  { timeout: 120_000 },
  async (t) => {
    const folder = await temporaryFolder(t)
    await startServer(t, folder)
    const example = /```sh\n(.*?)```/s.exec(readme)![1]!
    // Each answer ends without a line break; a line of its own makes them easy to tell apart.
    const { code, out, err } = await run('sh', ['-c', example.replaceAll('curl -s ', "curl -s -w '\\n' ")], { cwd: folder })
    t.same({ code, err }, { code: 0, err: '' })
    const [info, balance, craft] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.match(info, { staking_reward_fee: 10, min_stake_amount: '0.000000001' })
    t.match(balance, { staked_amount: 0, staking_objects: [] })
    t.match(craft, { serialized_tx_hex: /^0x/, payload: { value: '0x56bc75e2d63100001', chainId: '0x8f' } })
  },
)

t.test('its README names every setting with its default, every action, and every error code', async (t) => {
  const settings = [...readFileSync(`${plugin}src/network.ts`, 'utf8').matchAll(/^ {2}(\w+): Type\b.*?(?=^ {2}\w+: Type|^\})/gms)]
  t.equal(settings.length, 4)
  for (const [text, name] of settings) t.match(row(name!), /default: '?([^',\s]+)/.exec(text)?.[1] ?? 'Required', name!)
  const index = readFileSync(`${plugin}src/index.ts`, 'utf8')
  t.match(row('max_fee'), ` ${/maxFee: '([^']+)'/.exec(index)![1]} `)
  for (const action of ['delegate', 'undelegate', 'withdraw', 'claim-rewards', 'compound']) t.ok(row(action), action)
  const codes = [...readFileSync(`${plugin}src/codes.ts`, 'utf8').matchAll(/^ {2}([A-Z_]+): \[/gm)].map((match) => match[1]!)
  t.ok(codes.length > 5)
  for (const code of codes) t.match(readme, `\`${code}\``, code)
})
