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
  t.match(JSON.parse(json.stdout), {
    ulid,
    account: 'acme',
    events: ['apikey.*', 'ping'],
    protocols: ['evm-three'],
    waiting: 1,
    rewards_threshold: null,
    created_at: /Z$/,
  })
  t.notMatch(json.stdout, /whsec_|pepper/)
  const delivery = JSON.parse(deliveries.stdout)
  t.match(delivery, { type: 'ping', state: 'pending', attempts: 0, created_at: /Z$/, latency_ms: null })
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

t.test('a webhook is shown, changed, given a new secret, and sent again what it missed', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config(['http://127.0.0.1:1'], { validator_id: 1 }))
  const run = (...args: string[]) => svc(['webhooks', ...args], { cwd })
  const made = JSON.parse(
    (await run('add', 'https://receiver.example/hooks', '-a', 'acme', '--rewards', 'evm-three=1.5', '--description', 'desk', '--json'))
      .stdout,
  )
  t.match(made, { rewards_threshold: { 'evm-three': '1.5' }, description: 'desk', secret: /^whsec_/, public_key: /^whpk_/ })
  const { ulid } = made

  const [shown, text] = await Promise.all([run('show', ulid, '--json'), run('show', ulid)])
  t.match(JSON.parse(shown.stdout), { ulid, public_key: made.public_key, events: null, status: 'enabled' })
  t.notMatch(shown.stdout + text.stdout, /whsec_|pepper/)
  t.match(text.stdout, /^created_at +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m)
  t.match(text.stdout, /^rewards_threshold +\{"evm-three":"1\.5"\}$/m)

  const update = async (...args: string[]) => JSON.parse((await run('update', ulid, ...args, '--json')).stdout)
  t.match(await update('--events', 'transaction.*,ping', '--protocols', 'evm-three', '--rewards', 'none', '--description', ''), {
    events: ['transaction.*', 'ping'],
    protocols: ['evm-three'],
    rewards_threshold: null,
    description: null,
    url: 'https://receiver.example/hooks',
  })
  t.match(await update('--events', 'all', '--url', 'https://other.example/', '--disable'), {
    events: null,
    protocols: ['evm-three'],
    url: 'https://other.example/',
    status: 'disabled',
  })
  t.match(await run('replay', ulid, '--from', '2020-01-01'), { code: 1, stderr: /The webhook is disabled/ })
  const missed = await svc(['keys', 'create', '-a', 'acme', '--name', 'missed', '--quiet'], { cwd })
  t.equal(missed.code, 0, missed.stderr)
  t.match(await update('--enable'), { status: 'enabled', waiting: 0 })
  t.equal((await run('replay', ulid, '--from', '2020-01-01', '--to', '2020-01-02')).stdout, 'Queued 0 events.\n')
  t.equal((await run('replay', ulid, '--from', '2020-01-01')).stdout, 'Queued 1 event.\n', 'what came while it was disabled')

  const rotated = await run('rotate', ulid, '--overlap-hours', '0')
  t.match(rotated, {
    code: 0,
    stdout: /^whsec_/,
    stderr: /Changed the secret of the webhook .* The one before signs no more\. Its public key: whpk_/,
  })
  t.not(rotated.stdout.trim(), made.secret)
  t.match(JSON.parse((await run('rotate', ulid, '--json')).stdout), { secret: /^whsec_/, secret_version: 3, secret_until: /Z$/ })

  t.equal((await run('replay', ulid, '--from', '2020-01-01')).stdout, 'Queued 0 events.\n', 'what is waiting is not queued twice')
  t.same(JSON.parse((await run('replay', ulid, '--from', '2020-01-01', '--to', '2020-01-02', '--json')).stdout), { queued: 0, next: null })

  const refusals = await Promise.all([
    run('update', ulid),
    run('update', ulid, '--enable', '--disable'),
    run('update', ulid, '--rewards', 'evm-three=x'),
    run('update', ulid, '--rewards', 'evm-tree=1'),
    run('rotate', ulid, '--overlap-hours', '721'),
    run('replay', ulid),
    run('replay', ulid, '--from', 'yesterday'),
  ])
  const sentences = [
    /There is nothing to change: name at least one of --url, /,
    /Say either --enable or --disable\./,
    /It must be like evm-three=1\.5,hub-one=2, or none\./,
    /Rewards_threshold names "evm-tree", which is no protocol of this service; did you mean evm-three\?/,
    /It must be a number from 0 to 720\./,
    /required option '--from <date>' not specified/,
    /It must be like 2030-12-31T23:59:59Z, or a day, 2030-12-31\./,
  ]
  for (const [index, { code, stderr }] of refusals.entries()) {
    t.equal(code, 1)
    t.match(stderr, sentences[index] ?? /never/)
  }
  const audit = await svc(['audit', '--target', ulid, '--json'], { cwd })
  const actions = audit.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).action)
  t.same([...new Set(actions)].toSorted(), ['create-webhook', 'replay-webhook', 'rotate-webhook', 'update-webhook'])
})
