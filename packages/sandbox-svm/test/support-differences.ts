import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SvmAnswer } from '@svc/testing/svm-questions'

/** Members whose numbers and texts follow from the chain, its age and its keys; only their type is compared. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  'absoluteSlot',
  'activatedStake',
  'apiVersion',
  'blockHeight',
  'blockTime',
  'circulating',
  'commission',
  'contextSlot',
  'epoch',
  'epochCredits',
  'feature-set',
  'foundation',
  'foundationTerm',
  'inflationRewardsCommissionBps',
  'lastValidBlockHeight',
  'lastVote',
  'leaderScheduleSlotOffset',
  'numNonVoteTransactions',
  'numSlots',
  'numTransactions',
  'postBalances',
  'preBalances',
  'rootSlot',
  'slot',
  'slotIndex',
  'slotsInEpoch',
  'slotsPerEpoch',
  'solana-core',
  'total',
  'transactionCount',
  'transactionIndex',
  'unitsConsumed',
  'validator',
])
/** Loaded bytes from which on there is the code of a program among them, which differs by the program's version. */
const CODE_BYTES = 65_536
/** Encodings of bytes, which stand behind their text. */
const ENCODINGS: ReadonlySet<unknown> = new Set(['base64', 'base58'])

/** Compares a recorded answer with one of the stand-in. @returns lines, as `-` recorded and `+` of the stand-in */
export function differenceOf(recorded: SvmAnswer | undefined, answered: SvmAnswer, name: string): readonly string[] {
  if (recorded === undefined) throw new Error(`${name} was not recorded`)
  const [real, answer] = [linesOf(recorded), linesOf(answered)]
  return [
    ...[...real].filter((line) => !answer.has(line)).map((line) => `- ${line}`),
    ...[...answer].filter((line) => !real.has(line)).map((line) => `+ ${line}`),
  ]
}

/** Reads which answers a section of the README explains: names in the first column of its table. @returns them sorted */
export function explainedIn(heading: string): readonly string[] {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const [, section = ''] = readme.split(`${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => name)).sort()
}

/** Writes an answer as lines of path and value: what may differ between two chains that do the same is left out. */
function linesOf({ status, contentType, body }: SvmAnswer): ReadonlySet<string> {
  return new Set([`status: ${status}`, `content type: ${contentType ?? 'none'}`, ...lines(body, '')])
}

function lines(value: unknown, path: string, member = ''): string[] {
  if (Array.isArray(value)) {
    const [text, encoding] = value
    if (value.length === 2 && typeof text === 'string' && ENCODINGS.has(encoding)) return [`${path}: ${sizeOf(text)} in ${encoding}`]
    if (value.length === 0) return [`${path}: []`]
    // Logs and instructions are in an order; of other lists each form is named once.
    const isOrdered = member === 'logs' || member === 'logMessages' || member === 'InstructionError' || path === ''
    return value.flatMap((each, place) => lines(each, `${path}[${isOrdered ? place : ''}]`, member))
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    return members.length === 0 ? [`${path}: {}`] : members.flatMap(([name, each]) => lines(each, `${path}.${name}`, name))
  }
  return [`${path}: ${plain(value, path, member)}`]
}

function plain(value: unknown, path: string, member: string): string {
  if (value === null || typeof value === 'boolean' || value === '') return JSON.stringify(value)
  if (OF_THE_RUN.has(member) || (path === '.result' && typeof value === 'number')) return typeof value
  if (member === 'loadedAccountsDataSize' && Number(value) >= CODE_BYTES) return 'bytes with code'
  return typeof value === 'string' ? JSON.stringify(textOf(value, member)) : String(value)
}

function textOf(text: string, member: string): string {
  if (member === 'message')
    return withoutKeys(text.replace(/slot \d+$/, 'slot #').replace(/Attempting to read \d+ bytes/, 'Attempting to read # bytes'))
  return withoutKeys(text)
    .replace(/consumed \d+ of \d+/, 'consumed # of #')
    .replace(/insufficient lamports \d+/, 'insufficient lamports #')
}

function withoutKeys(text: string): string {
  return text.replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{43,88}\b/g, (key) =>
    key.includes('1111111') ? key : key.length > 80 ? 'signature' : 'key',
  )
}

/** Bytes of a text in base64, or characters of one in base58. */
function sizeOf(text: string): string {
  return `${Buffer.from(text, 'base64').length} bytes`
}
