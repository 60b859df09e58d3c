import { grouped } from '../../text/amount.ts'
import { decimalText } from '../../text/decimal.ts'

/** An amount with every digit, in line with the points of those above and below: amounts that are cut do not add up to the eye. */
export function ExactAmount({
  units,
  places,
  width,
  signed = false,
}: {
  readonly units: bigint
  /** Places of the units. */
  readonly places: number
  /** Digits behind the point that the column has room for. */
  readonly width: number
  readonly signed?: boolean
}) {
  const text = decimalText(units, places)
  const digits = text.split('.')[1]?.length ?? 0
  const rest = digits === 0 && width > 0 ? `.${'0'.repeat(width)}` : '0'.repeat(width - digits)
  const sign = units < 0n ? '−' : signed && units > 0n ? '+' : ''
  return (
    <span
      class={units === 0n ? 'figure mono muted' : 'figure mono'}
      onCopy={(event) => {
        event.clipboardData?.setData('text/plain', text)
        event.preventDefault()
      }}
    >
      {sign}
      {grouped(text.replace('-', ''))}
      <span class="rest" data-rest={rest} />
    </span>
  )
}

/** Counts the digits behind the point that these amounts need. */
export function widthOf(units: readonly bigint[], places: number): number {
  return units.reduce((most, each) => Math.max(most, decimalText(each, places).split('.')[1]?.length ?? 0), 0)
}
