import { grouped, shortened } from '../../text/amount.ts'
import { Tip } from '../layout/tip.tsx'

/**
 * An amount as the service wrote it, grouped, with its unit. Never through a float. With `digits` it is cut after so many, which `≈` says when
 * something was cut; the whole stands in the tip, is read out, and is what is copied.
 */
export function Amount({ value, unit, digits }: { readonly value: string; readonly unit?: string; readonly digits?: number }) {
  const { text, cut } = digits === undefined ? { text: value, cut: false } : shortened(value, digits)
  const withUnit = (each: string) => (unit === undefined ? each : `${each}\u00a0${unit}`)
  const copied = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', unit === undefined ? value : `${value} ${unit}`)
    event.preventDefault()
  }
  if (!cut) {
    return (
      <span class="amount mono" onCopy={copied}>
        {withUnit(grouped(text))}
      </span>
    )
  }
  const whole = withUnit(grouped(value))
  return (
    <Tip text={whole}>
      {(handlers) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what was cut has to be reachable by keyboard.
        <span class="amount mono" tabIndex={0} role="img" aria-label={whole} onCopy={copied} {...handlers}>
          ≈{'\u202f'}
          {withUnit(grouped(text))}
        </span>
      )}
    </Tip>
  )
}
