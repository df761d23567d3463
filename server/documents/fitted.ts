/** So large that it fits, and never larger than it is. */
export function fitted(
  { width, height }: { readonly width: number; readonly height: number },
  most: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, most.width / width, most.height / height)
  return { width: width * scale, height: height * scale }
}
