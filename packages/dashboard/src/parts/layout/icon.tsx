/** Drawn on 16 by 16, in the colour of the text around. */
const PATHS = {
  overview: 'M2.5 13.5h11M4 11V7.5M8 11V3.5M12 11V6',
  keys: 'M5 8.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M7 9l6-6M10.5 5.5l2 2',
  activity: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  transactions: 'M2.5 5.5h10M10 3l2.500 2.500L10 8M13.5 10.5h-10M6 8l-2.500 2.500L6 13',
  webhooks: 'M2.5 8h4M9.5 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6.500 5L9.500 8L6.500 11',
  protocols: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  positions: 'M2.5 13.5h11M2.5 10l3.500-3.500 2.500 2.500L13.500 3.500',
  statements: 'M4 2.500h8v11l-2-1.300-2 1.300-2-1.300-2 1.300zM6 5.500h4M6 8h4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5L14 14',
  inspector: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5L14 14',
  start: 'M5 3l8 5-8 5z',
  person: 'M8 2.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M3 13.5c.6-2.700 2.600-4 5-4s4.400 1.300 5 4',
  download: 'M8 2.500v7.500M5 7l3 3 3-3M3 13.500h10',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  warn: 'M8 2.5L14.5 13.5h-13zM8 6.5v3M8 11.700v.1',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  ring: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10',
  copy: 'M7 5.5h5a1.5 1.5 0 0 1 1.500 1.500v5a1.5 1.5 0 0 1-1.500 1.500H7A1.5 1.5 0 0 1 5.500 12V7A1.5 1.5 0 0 1 7 5.500zM10.500 5.500v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2',
  filter: 'M2.5 4h11M4.500 8h7M6.500 12h3',
  offline: 'M2.5 6a8 8 0 0 1 11 0M5 8.700a4.500 4.500 0 0 1 6 0M8 12h.1M3 13L13 3',
} as const

/** Name of a picture. */
export type IconName = keyof typeof PATHS

/** A small picture beside words that say the same: readers of screens hear nothing of it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The mark of the service. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="11" width="18" height="6" rx="3" fill="currentColor" />
      <rect x="4" y="3" width="12" height="6" rx="3" fill="currentColor" opacity=".45" />
    </svg>
  )
}
