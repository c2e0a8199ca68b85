// How an input has people choose files of the media library, without knowing the library.

import { createContext, useContext } from 'react'

/** A file of the media library. */
export interface PickedFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly alternativeText?: string | null
  /** Whatever else the API answers about it. */
  readonly [member: string]: unknown
}

export interface PickMediaOptions {
  readonly kinds: readonly ('images' | 'files' | 'videos' | 'audios')[]
  readonly isMultiple: boolean
}

/** Lets the user choose files; an empty list if none was chosen. */
export type PickMedia = (options: PickMediaOptions) => Promise<readonly PickedFile[]>

const PickMediaContext = createContext<PickMedia | null>(null)

export const PickMediaProvider = PickMediaContext.Provider

/** Null where the user may not choose files. */
export const usePickMedia = (): PickMedia | null => useContext(PickMediaContext)
