/** Between groups of three digits, as in counts, the command line's sentences and the documentation. What is copied has none. */
const GROUP = ','

/** Puts the whole part of an amount's text in groups of three; every digit stays. What is no decimal is given back as it is. */
export function grouped(text: string): string {
  const [, sign, whole, fraction = ''] = /^([-+−]?)(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole === undefined) return text
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, GROUP)}${fraction}`
}

/** Cuts an amount to so many digits after the point. @returns with it, whether digits that are not zero were left out */
export function shortened(text: string, digits: number): { readonly text: string; readonly cut: boolean } {
  const [, whole, fraction] = /^([-+−]?\d+)\.(\d+)$/.exec(text) ?? []
  if (whole === undefined || fraction === undefined || fraction.length <= digits) return { text, cut: false }
  const decimals = fraction.slice(0, digits)
  return { text: decimals === '' ? whole : `${whole}.${decimals}`, cut: /[1-9]/.test(fraction.slice(digits)) }
}

/** Writes a count in groups of three: 10,000. */
export function count(value: number): string {
  return COUNT.format(value)
}

const COUNT = new Intl.NumberFormat('en')
