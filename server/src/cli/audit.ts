import type { AuditFilter, AuditRecord } from '@svc/core'
import { Command, Option } from 'commander'
import type { GlobalOptions } from './config.ts'
import { count, date } from './option-values.ts'
import { moment, plain, snaked, table, writeJson } from './output.ts'
import { withState } from './state.ts'

interface Options extends GlobalOptions, AuditFilter {
  readonly json?: boolean
}

/** Makes `svc audit`, which lists records of the audit log. */
export function auditCommand(): Command {
  return new Command('audit')
    .summary('read the audit log, newest first')
    .description(
      'Reads the audit log, newest first: one record for each request with a valid key or token, and for each change made by this command line. ' +
        'What could change something was recorded before its answer left, and a broadcast before it was sent: one that stays open has no ' +
        'known end, so look its hash up. Refused credentials are counted, by address and minute.',
    )
    .option('-a, --account <id>', 'only of this account')
    .option('-k, --key <ulid>', 'only of this API key or management token')
    .option('-i, --identity <text>', 'only with this X-IDENTITY')
    .option('--action <name>', 'only this action: delegate, prepare, broadcast, …')
    .option('--protocol <name>', 'only of this plugin: evm-three, …')
    .option('--network <id>', 'only with this X-NETWORK, or where it stood for none')
    .option('--wallet <address>', 'only what this wallet signs')
    .addOption(new Option('--outcome <word>', 'only what ended so').choices(['ok', 'refused', 'failed', 'open']))
    .option('--error <code>', 'only with this code')
    .option('--request-id <id>', 'only with this x-request-id')
    .option('-q, --text <text>', 'a whole wallet, hash, identity, request id, code or key, or a part of the sentence')
    .option('--collapse', 'of each transaction only its newest record')
    .option('--target <ulid>', 'only changes of this API key or management token')
    .option('--transaction <hash>', 'only what concerns this transaction: by its hash, or by the unsigned_hash of --json')
    .option('--from <date>', 'not before: 2030-12-31T23:59:59Z, or a day, 2030-12-31, in UTC', date)
    .option('--to <date>', 'before that', date)
    .option('-l, --limit <number>', 'most records to show', count(10_000), 50)
    .option('--before <cursor>', 'go on where the page before ended')
    .option('--json', 'write one record a line as JSON, with everything that was promised')
    .addHelpText(
      'after',
      `
Examples:
  $ svc audit --account acme --action broadcast --from 2030-01-01
  $ svc audit --transaction HASH
  $ svc audit --action refuse-credential
  $ svc audit --json --limit 1000 | jq 'select(.status >= 500)'`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      await withState(options, async ({ store }) => {
        const page = await store.readAudit(filterOf(options))
        if (options.json) writeJson(...page.records.map(snaked))
        else if (page.records.length > 0) console.log(table(HEAD, page.records.map(row)))
        else console.error('No records.')
        if (page.next !== null) console.error(`There are older ones: go on with --before ${page.next}`)
      })
    })
}

/** The options are the filter, but for those that are not about it. */
function filterOf({ json: _json, config: _config, debug: _debug, ...filter }: Options): AuditFilter {
  return filter
}

const HEAD = ['TIME', 'STATUS', 'MS', 'ACCOUNT', 'KEY', 'FROM', 'NETWORK', 'WHAT', 'IDENTITY', 'RESULT']

function row(record: AuditRecord): string[] {
  const { time, status, durationMs, account, key, address, network, action, method, route, identity } = record
  const place = route.replace(/^\/api\/v1\//, '').replace(/\/action\/[^/]+$/, '')
  return [
    moment(time),
    status === 0 ? 'open' : String(status),
    durationMs.toFixed(0),
    account || '-',
    key || '-',
    address ?? '-',
    network ?? '-',
    action ? `${place} ${action}` : `${method} ${place}`,
    identity ?? '-',
    resultOf(record),
  ].map(plain)
}

/** Says the result of a record, in a few words. */
function resultOf({ count, error, txHash, target, changes }: AuditRecord): string {
  const set = Object.entries(changes ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [count > 1 ? `${count} times` : '', error, txHash, target, ...set].filter(Boolean).join(' ') || '-'
}
