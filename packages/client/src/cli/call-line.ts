import type { Call, Value } from '@svc/verify'

/** A call in one line, nothing left out. */
export function callLine({ target, method, args, value }: Call): string {
  const named = Object.entries(args).map(([name, each]) => `${name}: ${shown(each)}`)
  const sent = value === 0n ? '' : `, with ${value} base units sent along`
  return `${method === '' ? 'a plain transfer' : method} on ${target}${named.length === 0 ? '' : ` (${named.join(', ')})`}${sent}`
}

function shown(value: Value): string {
  return typeof value === 'object' ? `[${value.map(shown).join(', ')}]` : String(value)
}
