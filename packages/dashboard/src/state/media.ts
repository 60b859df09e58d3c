import { type ReadonlySignal, signal } from '@preact/signals'

/** True while the window is as narrow as a phone: tables become lists, the sidebar a sheet. The same width stands in style/tokens.css. */
export const narrow: ReadonlySignal<boolean> = watched('(max-width: 720px)')

/** True while the window has no room for every column beside the navigation: a choice of this project. */
export const snug: ReadonlySignal<boolean> = watched('(max-width: 1200px)')

/** True if there is also room for the details of a row's panel: a choice of this project. */
export const roomy: ReadonlySignal<boolean> = watched('(min-width: 1440px)')

/** True while there is room for the most needed columns alone: a choice of this project. */
export const tight: ReadonlySignal<boolean> = watched('(max-width: 1040px)')

/** True while there is no room for a name beside an amount and a state: a choice of this project. */
export const cramped: ReadonlySignal<boolean> = watched('(max-width: 860px)')

function watched(query: string): ReadonlySignal<boolean> {
  const media = window.matchMedia(query)
  const match = signal(media.matches)
  media.addEventListener('change', () => {
    match.value = media.matches
  })
  return match
}
