import { type Filters, isNarrowed, PERIODS } from './filters.ts'

/** Says which records a file lacks when reads were not asked for. */
export const READS_LEFT_OUT = 'Reads that ended well are left out.'

/** Says which records a file will hold: their period, and whether filters restrict them. Reads are told beside the switch for them. */
export function aboutExport(filters: Filters): string {
  const { period } = filters
  const label = PERIODS.find(({ value }) => value === period)?.label ?? ''
  const when = period === 'all' ? 'of all time' : period === 'custom' ? 'of the chosen dates' : `of the last ${label}`
  return `Records ${when}${isNarrowed(filters) ? ' that match the filters' : ''}, a line for each request.`
}
