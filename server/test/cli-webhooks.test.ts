import t from 'tap'
import { config, folder, svc, writeConfig } from './cli-process.ts'

t.test('webhooks on the command line: added, tested, looked at, sent again and removed', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config(['http://127.0.0.1:1'], { validator_id: 1 }))
  const run = (...args: string[]) => svc(['webhooks', ...args], { cwd })
  const added = await run(
    'add',
    'https://receiver.example/hooks',
    '--account',
    'acme',
    '--events',
    'apikey.*,ping',
    '--protocols',
    'evm-three',
  )
  t.match(added, {
    code: 0,
    stdout: /^whsec_[A-Za-z0-9+/]{43}=\n$/,
    stderr: /^Added the webhook [0-9A-Z]{26} of account acme\. Its public key: whpk_/,
  })
  const ulid = /webhook ([0-9A-Z]{26})/.exec(added.stderr)?.[1] ?? ''

  const [tested, ...refusals] = await Promise.all([
    run('test', ulid),
    run('add', 'http://127.0.0.1/', '--account', 'acme'),
    run('add', 'https://receiver.example/', '--account', 'acme', '--events', 'apikey.change'),
    run('add', 'https://receiver.example/', '--account', 'acme', '--protocols', 'evm-tree'),
    run('test', ulid, '--account', 'zenith'),
    run('add', 'https://receiver.example/'),
  ])
  t.match(tested, { code: 0, stdout: /^Queued msg_[0-9A-Z]{26}\.\n$/, stderr: '' })
  const sentences = [
    /Url is "http:\/\/127\.0\.0\.1\/"; it must begin with https:\/\/\./,
    /Events names "apikey\.change", which is no type of event; did you mean apikey\.changed\?/,
    /Protocols names "evm-tree", which is no protocol of this service; did you mean evm-three\?/,
    new RegExp(`There is no webhook "${ulid}" in this account\\.`),
    /Say whose it is with --account; the config has these accounts: acme, zenith\./,
  ]
  for (const [index, { code, stderr }] of refusals.entries()) {
    t.equal(code, 1)
    t.match(stderr, sentences[index] ?? /never/)
  }

  const [list, json, deliveries] = await Promise.all([run('list'), run('list', '--json'), run('deliveries', ulid, '--json')])
  t.match(list.stdout, new RegExp(`^${ulid}  acme +enabled +1 +0 +https://receiver\\.example/hooks +-$`, 'm'))
  t.match(JSON.parse(json.stdout), [{ ulid, account: 'acme', events: ['apikey.*', 'ping'], protocols: ['evm-three'], waiting: 1 }])
  t.notMatch(json.stdout, /whsec_|pepper/)
  const delivery = JSON.parse(deliveries.stdout)
  t.match(delivery, { type: 'ping', state: 'pending', attempts: 0 })
  t.match((await run('resend', ulid, delivery.id)).stdout, `Queued ${delivery.event} again.\n`)
  t.equal((await run('remove', ulid)).stdout, `Removed the webhook ${ulid} of account acme.\n`)
  const audit = await svc(['audit', '--target', ulid, '--json'], { cwd })
  t.same(
    audit.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action),
    ['delete-webhook', 'resend-delivery', 'test-webhook', 'create-webhook'],
  )
})
