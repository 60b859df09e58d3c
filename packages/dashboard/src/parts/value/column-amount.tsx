import { inColumn } from '../../text/column.ts'
import { Tip } from '../layout/tip.tsx'

/** Place behind what has no digits after the point. */
const NOTHING_BEHIND = inColumn('0').rest

/**
 * An amount in a column, in line with the points of those above and below; a dash where it is not known. All digits are read out, stand in the tip where some are cut, and are
 * what is copied.
 *
 * @param unit null: it stands in the head of the column; empty: it is not known, and its place stays free
 * @param signed whether what is above zero has a sign too
 * @param inline whether it stands among words, in line with nothing
 * @param loss whether what is below zero was lost, and did not only go elsewhere
 * @param quiet whether it is muted, since something of it is missing
 */
export function ColumnAmount({
  value,
  unit,
  signed = false,
  quiet = false,
  inline = false,
  loss = false,
}: {
  readonly value: string | null
  readonly unit: string | null
  readonly signed?: boolean
  readonly quiet?: boolean
  readonly inline?: boolean
  readonly loss?: boolean
}) {
  const slot = unit === null ? null : <span class="unit muted">{unit}</span>
  if (value === null) {
    return (
      <span class="figure mono muted">
        –<span class="rest" data-rest={NOTHING_BEHIND} />
        <span class="dots" />
        {slot === null ? null : <span class="unit" />}
      </span>
    )
  }
  const { text, cut, rest, look } = inColumn(value, signed)
  const whole = unit ? `${value} ${unit}` : value
  const isHidden = cut || /^[<>]/.test(text)
  const name = `figure ${inline ? 'inline' : 'mono'}${look === 'zero' || quiet ? ' muted' : ''}${loss && look === 'negative' ? ' loss' : ''}`
  const copied = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', whole)
    event.preventDefault()
  }
  const digits = (
    <>
      {text}
      <span class="rest" data-rest={rest} />
      <span class="dots muted">{cut ? '…' : null}</span>
      {slot}
    </>
  )
  if (!isHidden) {
    return (
      <span class={name} onCopy={copied}>
        {digits}
      </span>
    )
  }
  return (
    <Tip text={whole}>
      {(handlers) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what was cut has to be reachable by keyboard.
        <span class={name} tabIndex={0} role="img" aria-label={whole} onCopy={copied} {...handlers}>
          {digits}
        </span>
      )}
    </Tip>
  )
}
