import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import type { Line } from './words.ts'

/** Facts below each other, every value in full. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <dl class="kv">
      {lines.map((line, i) => (
        // Two lines may have the same label: several moves, several signers.
        <LineOf key={`${i} ${line.label}`} line={line} />
      ))}
    </dl>
  )
}

function LineOf({ line: { label, kind, value, unit, note } }: { readonly line: Line }) {
  return (
    <>
      <dt class="break">{label}</dt>
      <dd>
        {kind === 'amount' ? <Amount value={value} {...(unit === undefined ? {} : { unit })} /> : null}
        {kind === 'address' ? <Address text={value} what={label} whole /> : null}
        {kind === 'code' ? <code class="break">{value}</code> : null}
        {kind === 'text' ? value : null}
        {note ? <span class="muted note-line"> {note}</span> : null}
      </dd>
    </>
  )
}
