import { membersOf } from '@svc/contract'
import { check as compare, type Mismatch } from '@svc/verify'
import { type Check, messageOf, shown } from '../check.ts'
import { type CapturedCraft, kitWith, onKit } from '../direct.ts'
import type { Forgery } from '../family.ts'
import { forger } from '../forged.ts'
import type { Subject } from '../subject.ts'

/** Level of a line that must wake somebody. */
const FATAL = 60

/** Tests the check of decoded bytes: it refuses every change of a good transaction, and a server that was made to craft one withholds it. */
export async function tamper(subject: Subject, check: Check): Promise<void> {
  for (const action of subject.actions) {
    const captured = await subject.captured(action)
    check.equal(refusalOf(subject, captured, captured.unsigned), [], `${action}: the transaction itself passes`)
    const single = [...leaves(captured.unsigned), ...subject.family.fields(captured.unsigned)]
    const coherent = subject.family.forgeries(captured.unsigned, captured.effects)
    for (const forgery of [...single, ...coherent]) refused(subject, check, action, captured, forgery)
    check.tried(single.length, `single changes of ${action}`)
    check.tried(coherent.length, `forgeries of ${action}`)
  }
  await endToEnd(subject, check)
}

function refused(subject: Subject, check: Check, action: string, captured: CapturedCraft, { name, unsigned, at }: Forgery): void {
  const mismatches = refusalOf(subject, captured, unsigned)
  if (!check.ok(mismatches.length > 0, `${action}: refused: ${name}`)) return
  const pathed = mismatches.every(({ path }) => path !== '') && (at === undefined || mismatches.some(({ path }) => path.startsWith(at)))
  check.ok(pathed, `${action}: the refusal says where: ${name}${at ? ` (${at})` : ''}`, shown(mismatches))
}

/** As the pipeline does it: bytes that cannot be read are one mismatch. */
function refusalOf({ kit, direct }: Subject, { effects, bounds }: CapturedCraft, unsigned: unknown): readonly Mismatch[] {
  try {
    return compare(kit.decode(membersOf(unsigned), effects, direct.network, bounds.terms ?? {}), effects, bounds)
  } catch (error) {
    return [{ path: 'bytes', expected: 'a transaction that can be read back', found: messageOf(error) }]
  }
}

/** Every member of a craft response changed alone, taken away, and one added. */
function leaves(unsigned: unknown): Forgery[] {
  const forgeries: Forgery[] = []
  const walk = (value: unknown, path: string, setter: (changed: unknown) => unknown): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        walk(item, `${path}[${index}]`, (changed) => setter(value.map((each, at) => (at === index ? changed : each))))
      forgeries.push({ name: `${path} with an item more`, unsigned: setter([...value, value.at(-1) ?? '0x00']) })
      if (value.length > 0) forgeries.push({ name: `${path} with an item less`, unsigned: setter(value.slice(0, -1)) })
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const { [name]: _, ...rest } = membersOf(value)
        const where = path ? `${path}.${name}` : name
        forgeries.push({ name: `without ${where}`, unsigned: setter(rest) })
        walk(member, where, (changed) => setter({ ...value, [name]: changed }))
      }
      forgeries.push({ name: `${path || 'the response'} with a member more`, unsigned: setter({ ...value, extra: '0x00' }) })
    } else {
      for (const [how, changed] of changesOf(value)) forgeries.push({ name: `${path} ${how}`, unsigned: setter(changed) })
    }
  }
  walk(unsigned, '', (changed) => changed)
  return forgeries
}

function changesOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value === 'boolean') return [['turned round', !value]]
  if (typeof value === 'number') return [['+ 1', value + 1]]
  if (typeof value !== 'string') return [['is a text', 'x']]
  const digits = value.startsWith('0x') ? 2 : 0
  if (!/^[0-9a-fA-F]*$/.test(value.slice(digits)))
    return [
      ['with a letter more', `${value}x`],
      ['is empty', ''],
    ]
  const flip = (at: number) => value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1)
  return [
    ['is null', null],
    ['is empty', value.slice(0, digits)],
    ['with a byte more', `${value}00`],
    ...(value.length > digits
      ? ([
          ['with another first digit', flip(digits)],
          ['with another last digit', flip(value.length - 1)],
          ['with another digit in its middle', flip(digits + ((value.length - digits) >> 1))],
          ['with a digit less', value.slice(0, -1)],
        ] as const)
      : []),
  ]
}

/** The same against a running server whose kit was taken over: a 500 that says nothing, an alert, an audit record. */
async function endToEnd(subject: Subject, check: Check): Promise<void> {
  const { plugin, kit, family } = subject
  let forge: ((unsigned: unknown) => unknown) | null = null
  const evil = kitWith(kit, {
    async assemble(...parameters) {
      const assembled = await kit.assemble(...parameters)
      return forge ? { ...assembled, unsigned: membersOf(forge(assembled.unsigned)) } : assembled
    },
  })
  const service = await subject.serve({ plugin: onKit(plugin, evil) })
  try {
    const client = await service.client()
    for (const action of subject.actions) {
      const { body } = await subject.example(action)
      const { unsigned, effects } = await subject.captured(action)
      const attacks = family.forgeries(unsigned, effects).filter(({ attack }) => attack)
      check.tried(attacks.length, `attacks on a running server by ${action}`)
      const forged = forger(family, effects)
      for (const { name } of attacks) {
        const where = `${action}, attacked with ${name}`
        let forgery: unknown
        forge = (honest) => {
          forgery = forged(honest, name)
          return forgery ?? honest
        }
        const lines = service.log.length
        const answer = await client.post(`/action/${action}`, body)
        forge = null
        check.ok(forgery !== undefined, `${where}: the attack took place`)
        check.equal([answer.status, answer.code], [500, 'INTERNAL_ERROR'], `${where}: the server withholds it`)
        const leaks = texts(forgery).filter((text) => text.length > 6 && answer.text.includes(text))
        check.ok(
          leaks.length === 0 && !/0x[0-9a-f]{6}|mismatch|calls\[/i.test(answer.text),
          `${where}: the answer reveals nothing`,
          answer.text,
        )
        const alerts = service.log.slice(lines).filter(({ level, alert }) => level === FATAL && alert === 'DECODE_MISMATCH')
        check.equal(alerts.length, 1, `${where}: one alert is logged`)
        const { records } = await service.store.readAudit({ limit: 50, action })
        const record = records.find(({ requestId }) => requestId === answer.headers.get('x-request-id'))
        check.equal([record?.error, record?.status], ['DECODE_MISMATCH', 500], `${where}: the audit log holds it`)
      }
      check.equal((await client.post(`/action/${action}`, body)).status, 200, `${action}: without the attack the same server crafts`)
    }
  } finally {
    await service.close()
  }
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
