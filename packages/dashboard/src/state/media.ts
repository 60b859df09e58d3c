import { type ReadonlySignal, signal } from '@preact/signals'

/** Whether the window is as narrow as a phone: tables become lists, the sidebar a sheet. The same width stands in style/tokens.css. */
export const narrow: ReadonlySignal<boolean> = watched('(max-width: 720px)')

/** Whether it has no room for every column beside the navigation: a choice of this project. */
export const snug: ReadonlySignal<boolean> = watched('(max-width: 1200px)')

/** Whether there is room for the most needed columns alone: a choice of this project. */
export const tight: ReadonlySignal<boolean> = watched('(max-width: 900px)')

function watched(query: string): ReadonlySignal<boolean> {
  const media = window.matchMedia(query)
  const found = signal(media.matches)
  media.addEventListener('change', () => {
    found.value = media.matches
  })
  return found
}
