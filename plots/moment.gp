# moment.gp - measured means or probabilities, the formula, and its margin.
below(k) = column(k) > YMIN ? column(k) : YMIN
above(k) = column(k) < YMAX ? column(k) : YMAX
plot for [i=1:has_before] DATA using (x('before')):(y(4)) with linespoints linetype 4 title BEFORE, \
     for [i=1:has_band] DATA using (x('band')):(below(5)):(above(6)) \
         with filledcurves fillcolor '#d55e00' fillstyle transparent solid 0.13 noborder \
         title BAND, \
     for [i=1:has_formula] DATA using (x('formula')):(y(4)) with lines linetype 2 title FORMULA, \
     for [i=1:has_formula*alone] DATA using (x('formula')):(y(4)):(0.985*x('formula')):(1.015*x('formula')) \
         with xerrorbars linetype 2 pointtype 0 notitle, \
     for [i=1:has_control] DATA using (x('control')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorbars linetype 3 title CONTROL, \
     for [k=1:curves] DATA using (x('curve'.nth(k))):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 10+nth(k) title CURVE[nth(k)], \
     for [i=1:has_measured] DATA using (x('measured')):(y(4)):(lo(5)):(hi(6)) \
         with yerrorbars linetype 1 title MEASURED
