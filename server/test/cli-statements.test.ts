import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { config, folder, svc, writeConfig } from './cli-process.ts'

const WALLET = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

t.test('statements on the command line: the entries of books as CSV, of what is asked for, in tokens, exactly', async (t) => {
  const cwd = await folder(t)
  await writeConfig(cwd, config(['http://127.0.0.1:1'], { validator_id: 1 }))
  const run = (...args: string[]) => svc(['statements', ...args], { cwd })
  const empty = await run()
  t.match(empty, { code: 0, stderr: '' })
  t.match(empty.stdout, /^time,day,account,wallet,caip2,[^\n]+entry_id\r\n$/)

  // A follower of a chain writes such a book; here it is written by hand.
  const database = new DatabaseSync(join(cwd, '.svc', 'service.sqlite'), { timeout: 30_000 })
  const [first, second] = [Date.parse('2026-11-28T12:00:00Z'), Date.parse('2026-11-29T12:00:00Z')]
  const book = (network: string) =>
    Number(
      database
        .prepare(
          `insert into svc_books (account, protocol, network, wallet, opened_at, keys, lines, failures, fence) values ('acme', 'evm-three', ?, ?, ?, '["stake"]', 2, 0, 0)`,
        )
        .run(network, WALLET, first).lastInsertRowid,
    )
  const line = (id: number, n: number, at: number, opening: number | null) => {
    const mark = database
      .prepare(`insert into svc_marks (network, height, hash, at) values ('eip155:143', ?, 'h', ?)`)
      .run(100 + n + id * 10, at)
    database
      .prepare(`insert into svc_lines (book, n, mark, at, closing, opening, flags, source, booked_at) values (?, ?, ?, ?, x'', ?, 1, 0, ?)`)
      .run(id, n, mark.lastInsertRowid, at, opening, at)
  }
  const entry = (id: number, n: number, kind: string, amount: string, [from, to]: readonly [string, string]) =>
    database
      .prepare(
        `insert into svc_entries (book, line, n, kind, asset, amount, from_place, to_place, height, at, tx, booked_at) values (?, 1, ?, ?, 'native', ?, ?, ?, 101, ?, '0xab', ?)`,
      )
      .run(id, n, kind, amount, from, to, second, second)
  for (const network of ['143', '99']) {
    const id = book(network)
    line(id, 0, first, null)
    line(id, 1, second, 0)
    entry(id, 0, 'deposit', '1000000000000000000003', ['wallet', 'stake'])
    entry(id, 1, 'reward', '1', ['chain', 'stake'])
  }
  database.close()

  const [all, before, koinly, wrong, nobody] = await Promise.all([
    run('--account', 'acme', '--protocol', 'evm-three', '--network', '143', '--from', '2026-11-29'),
    run('--to', '2026-11-29'),
    run('--layout', 'koinly', '--network', '143', '--wallet', WALLET),
    run('--layout', 'excel'),
    run('--account', 'nobody'),
  ])
  const rows = all.stdout.split('\r\n').slice(1, -1)
  t.equal(rows.length, 2, all.stderr)
  t.match(
    rows[0],
    `2026-11-29T12:00:00.000Z,2026-11-29,acme,${WALLET},eip155:143,evm-three,deposit,native,MON,1000000000000000000003,1000.000000000000000003,wallet,stake,101,h,0xab`,
  )
  t.match(rows[1], ',reward,native,MON,1,0.000000000000000001,chain,stake,')
  t.equal(before.stdout, empty.stdout, 'nothing was moved before')
  t.match(koinly.stdout.split('\r\n')[1], '2026-11-29 12:00:00 UTC,,,0.000000000000000001,MON,,,,,reward,')
  t.match(wrong, { code: 1, stderr: /--layout <name>.*Allowed choices are own, koinly, cointracking/ })
  t.match(nobody, { code: 1, stderr: /There is no account "nobody"/ })
  const gone = (await run('--network', '99')).stdout.split('\r\n')[1]
  t.match(gone, ',99,evm-three,deposit,native,,1000000000000000000003,,wallet,stake,', 'without decimals no amount in tokens is told')
})
