import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { config, folder, svc, writeConfig } from './cli-process.ts'

t.test('events on the command line: one line each, by severity, type and page, with the sentence of the alarm', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config(['http://127.0.0.1:1'], { validator_id: 1 }))
  const run = (...args: string[]) => svc(['events', '--account', 'acme', ...args], { cwd })
  t.match(await run(), { code: 0, stdout: '', stderr: 'No events.\n' })
  const added = await svc(['webhooks', 'add', 'https://receiver.example/hooks', '--account', 'acme'], { cwd })
  const ulid = /webhook ([0-9A-Z]{26})/.exec(added.stderr)?.[1] ?? ''
  for (let turn = 0; turn < 3; turn++) await svc(['webhooks', 'test', ulid], { cwd })
  // The follower of a chain writes such an event; here one is made of a ping.
  const database = new DatabaseSync(join(cwd, '.svc', 'service.sqlite'), { timeout: 30_000 })
  const data = { severity: 'critical', wallet: 'W\u001b[2J', object_ids: ['S'], objects: 1, cause: 'authority', holder: 'T' }
  database
    .prepare(`update svc_events set type = 'position.lost', protocol = 'svm-native', severity = 'critical', body = ? where sequence = 2`)
    .run(JSON.stringify({ type: 'position.lost', data }))
  database.close()

  const [all, critical, json, page, pings, none, wrong, nobody] = await Promise.all([
    run(),
    run('--severity', 'critical'),
    run('--severity', 'critical', '--json'),
    run('--limit', '1'),
    run('--type', 'ping', '--before', '3'),
    run('--severity', 'warning'),
    run('--severity', 'dire'),
    svc(['events'], { cwd }),
  ])
  t.equal(all.stdout.trim().split('\n').length, 4)
  t.match(
    critical.stdout,
    /^TIME +SEVERITY +TYPE +PROTOCOL +PUT AWAY +WHAT\n\S+Z +critical +position\.lost +svm-native +- +The stake S of W \[2J belongs to T now\.\n$/,
  )
  t.match(JSON.parse(json.stdout), {
    account: 'acme',
    type: 'position.lost',
    severity: 'critical',
    sequence: 2,
    dismissed_at: null,
    sentence: /belongs to T now/,
    created_at: /Z$/,
    body: /"cause":"authority"/,
  })
  t.match(page, { stdout: / ping /, stderr: 'There are older ones: go on with --before 3\n' })
  t.equal(pings.stdout.trim().split('\n').length, 2)
  t.match(none, { code: 0, stdout: '', stderr: 'No events.\n' })
  t.match(wrong, { code: 1, stderr: /--severity <word>.*Allowed choices are critical, warning, info/ })
  t.match(nobody, { code: 1, stderr: /Say whose it is with --account/ })
})
