/**
 * Creates a function that reports the height of the document to the host, then and whenever it changes, at most once per
 * frame. Call it when the host is connected, and again when it changes the display mode.
 *
 * Content with a height such as `100vh` grows whenever the host has applied a reported height. Growth that the growth of the
 * window explains is therefore not reported, which would never end.
 *
 * @param report sends a size to the host, in CSS pixels
 * @returns the function, which receives whether the host decides the size, as in fullscreen
 */
export function createSizeReporter(
  report: (size: { width: number; height: number }) => void,
): (isFixed: boolean) => void {
  const { documentElement: page, body } = document;
  let isFixed = true;
  let frame = 0;
  let reported = 0;
  let windowHeight = 0;

  const measure = (): void => {
    if (isFixed) return;
    const { style } = page;
    style.height = "max-content";
    const height = Math.ceil(page.getBoundingClientRect().height);
    style.height = "";
    const growth = innerHeight - windowHeight;
    const isExplained = reported && height > reported && height - reported <= growth;
    windowHeight = innerHeight;
    if (height === reported) return;
    reported = height;
    if (!isExplained) report({ width: innerWidth, height });
  };
  const schedule = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(measure);
  };

  const observer = new ResizeObserver(schedule);
  observer.observe(page);
  observer.observe(body);
  return (isNowFixed) => {
    if (isFixed) reported = 0;
    isFixed = isNowFixed;
    schedule();
  };
}
