// Says what a file is: its size and its measures, in the form of the language.

import { useFormatter, useTranslations } from 'use-intl'
import { kindOf, type MediaFile, sizeParts } from '../model/media.ts'

/** Returns what writes the facts of a file. */
export function useFileTexts() {
  const t = useTranslations('media')
  const format = useFormatter()
  const size = ({ size: kilobytes }: MediaFile) => {
    const { value, unit } = sizeParts(kilobytes)
    return format.number(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 })
  }
  const measures = ({ width, height }: MediaFile) => (width && height ? `${width} × ${height}` : null)
  return {
    size,
    measures,
    kind: (file: MediaFile) => t(`kinds.${kindOf(file)}`),
    day: (moment: string | undefined) =>
      moment === undefined ? '' : format.dateTime(new Date(moment), { dateStyle: 'medium' }),
    brief: (file: MediaFile) => [measures(file), size(file)].filter(part => part !== null).join(' · '),
  }
}
