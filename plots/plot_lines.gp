# plot_lines.gp - behind plot.gp: points with intervals, both axes logarithmic.
plot for [k=1:theories] DATA using (x('theory'.THEORY[k])):4 \
         with lines linetype 10+THEORY[k] linewidth 1.6 dashtype 2 notitle, \
     for [k=1:curves] DATA using (x('curve'.shown(k))):(y(4)):(lo(5)):(hi(6)) \
         with yerrorlines linetype 10+shown(k) title CURVE[shown(k)]
