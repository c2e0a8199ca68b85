// Texts as they are read: without the mark and the line ends that editors of Windows write.

/** The text without a mark at its beginning, and with line feeds alone. */
export const plainText = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
